import type { Token, TokenKind } from "./token.ts";

/** Words of the SQL dialects by kind; `|` separates entries, which may have several words. */
const table: readonly (readonly [kind: TokenKind, words: string])[] = [
  ["E", "select insert update case create set"],
  ["E", "select all|select distinct|waitfor delay|waitfor time"],
  ["T", "delete execute exec call handler begin declare drop shutdown goto print use"],
  ["T", "insert into|insert ignore|insert delayed|begin declare|load data"],
  ["U", "union except intersect"],
  ["U", "union all|union distinct|union all distinct|union distinct all|except all|intersect all"],
  ["B", "having limit"],
  ["B", "group by|order by"],
  ["&", "and or xor &&"],
  ["o", "not like rlike regexp is between div mod"],
  ["o", "sounds like|is not|not like|not rlike|not regexp|not between|similar to|not similar to"],
  ["k", `from where into values as join inner asc desc top when then else default index databases schema schemas
    column constraint references partition primary foreign trigger procedure cursor open fetch analyze outfile lines
    terminated cascade restrict alter replace load grant revoke merge explain kill offset repeat match tinyint varbinary
    time unsigned blob interval rename add before both change character check collation condition continue delay
    deterministic each elseif enclosed escaped exit force fulltext function generated in infile iterate keys leading leave loop
    natural optimize option optionally out purge range read release require return schema separator sql ssl starting
    straight_join trailing undo unlock usage varying while write zerofill`],
  ["k", "not in|into outfile|into dumpfile|for update|fetch first|left join|left outer|left outer join|right join|inner join|cross join|natural join"],
  ["t", "int int1 int2 int3 int4 int8 integer bigint smallint varchar text binary boolean real double float decimal numeric timestamp money bytea regclass"],
  ["v", "null current_user current_date current_time current_timestamp localtime localtimestamp"],
  ["1", "true false"],
  ["A", "collate"],
  ["f", `abs acos any ascii asin atan atan2 avg benchmark bin bit_count bit_length cast ceil ceiling char char_length
    character_length chr coalesce concat concat_ws connection_id conv cos cot count crc32 curdate curtime date date_add
    date_format date_sub dayname db_id db_name decode degrees elt encode exists exp export_set extractvalue field
    find_in_set floor format found_rows from_base64 from_days from_unixtime get_lock greatest group_concat hex host_name
    if ifnull iif inet_aton inet_ntoa instr is_member is_srvrolemember isnull last_insert_id lcase least left length ln
    load_file locate log log10 log2 lower lpad ltrim make_set makedate max md5 mid min month name_const now nullif
    object_id object_name oct octet_length openrowset ord overlaps pg_read_file pg_sleep pi position pow power quote
    radians rand random randomblob regexp_replace release_lock reverse round row_count row_to_json rpad rtrim
    serverproperty session_user sha sha1 sha2 sign sin sleep some soundex space sqrt stddev strcmp string_agg stuff substr
    substring substring_index sum suser_name suser_sname sysdate system_user tan time_to_sec timediff to_base64 to_char
    to_date to_number trim truncate typeof ucase unhex unicode unix_timestamp updatexml upper using uuid uuid_short
    variance version weekday xmlelement xmltype year zeroblob
    charset compress convert day hour minute quarter second uncompress week weekofyear`],
  ["f", "if exists|if not|if not exists|procedure analyse|dbms_pipe.receive_message|dbms_lock.sleep|utl_inaddr.get_host_address|utl_http.request"],
]; // prettier-ignore

const kinds = new Map<string, TokenKind>([["||", "&"]]);
for (const [kind, words] of table) {
  for (const word of words.split(words.includes("|") ? "|" : /\s+/)) kinds.set(word, kind);
}
/** The words before each blank of the entries with several words. */
const beginnings = new Set<string>();
// The beginning of a multi-word entry is a name, unless it is an entry itself.
for (const words of kinds.keys()) {
  for (let at = words.indexOf(" "); at > 0; at = words.indexOf(" ", at + 1)) {
    const beginning = words.slice(0, at);
    beginnings.add(beginning);
    if (!kinds.has(beginning)) kinds.set(beginning, "n");
  }
}

/** No word of the language is longer. */
export const wordLengthMax = 31;

/** The kind of one or more words in lower case; undefined for a name. */
export function kindOfWords(words: string): TokenKind | undefined {
  if (words.length > wordLengthMax) return undefined;
  const kind = kinds.get(words);
  return kind === "n" ? undefined : kind;
}

/** Joins two tokens such as `group` and `by` to one; undefined if they do not belong together. */
export function joinWords(first: Token, second: Token): Token | undefined {
  if (!"knoUfETt".includes(first.kind) || !"knoUfETt&".includes(second.kind)) return undefined;
  if (!beginnings.has(first.text.toLowerCase())) return undefined;
  const text = `${first.text} ${second.text}`;
  const kind = kinds.get(text.toLowerCase());
  return kind === undefined ? undefined : { kind, text };
}
