/**
 * The kind of a token, as libinjection names it: `1` number, `s` string, `n` name, `v` variable, `f`
 * function, `t` type, `k` keyword, `E` statement, `T` statement of SQL Server, `B` clause such as `group by`,
 * `U` `union`, `A` `collate`, `o` operator, `&` logical operator, `c` comment, `X` a token that only attacks
 * contain, `?` unknown. Signs stand for themselves.
 */
export type TokenKind =
  | "1" | "s" | "n" | "v" | "f" | "t" | "k" | "E" | "T" | "B" | "U" | "A" | "o" | "&" | "c" | "X" | "?"
  | "(" | ")" | "{" | "}" | "," | ";" | "." | ":" | "\\"; // prettier-ignore

/** The quote around a string; empty on the side where it continues outside of the value. */
export type Quote = "" | "'" | '"' | "`" | "$" | "q";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly quotes?: { readonly opened: Quote; readonly closed: Quote };
}

/** Words of the SQL dialects by kind; `|` separates entries, which may have several words. */
const table: readonly (readonly [kind: TokenKind, words: string])[] = [
  ["E", "case create insert select set update"],
  ["E", "select all|select distinct|waitfor delay|waitfor time|waitfor receive|execute as|insert delayed|insert ignore|insert high_priority|insert low_priority"],
  ["T", "begin call declare delete drop exec execute go goto handler print shutdown try use while"],
  ["T", "insert into|insert delayed into|insert ignore into|insert high_priority into|insert low_priority into|begin declare|load data|load xml|create or replace"],
  ["U", "except intersect union"],
  ["U", "union all|union distinct|union all distinct|union distinct all|intersect all"],
  ["B", "having limit"],
  ["B", "group by|order by|partition by|own3d by"],
  ["&", "and or xor &&"],
  ["o", "between div eqv is like mod not regexp rlike sounds uescape"],
  ["o", "sounds like|is not|is distinct from|is not distinct from|not like|not rlike|not regexp|not between|similar to|not similar|not similar to"],
  ["k", `abort accessible against all_users alter analyze as asc asensitive autoincrement before blob both cascade change column
    condition constraint continue count_big cursor databases day_hour day_microsecond day_minute day_second dec default delay
    delayed desc describe deterministic distinct distinctrow each else elseif enclosed escaped exit explain fetch force
    foreign from fulltext function grant high_priority hour_microsecond hour_minute hour_second ignore in index infile inner
    inout insensitive interval into iterate join keys kill leading leave linear lines load longblob longtext loop low_priority
    master_bind master_ssl_verify_server_cert match maxvalue mediumblob mediumint mediumtext merge middleint
    minute_microsecond minute_second modifies no_write_to_binlog notnull nowait offset open optimize option optionally outfile own3d
    partition precision primary procedure purge range read read_write reads references release rename repeat replace require
    resignal restrict return revoke schema schemas second_microsecond sensitive separator signal similar spatial specific sql
    sql_big_result sql_buffer_result sql_cache sql_calc_found_rows sql_no_cache sql_small_result sqlexception sqlstate
    sqlwarning ssl starting straight_join syscolumns sysusers terminated then time tinyblob tinyint tinytext top trigger undo
    unlock unsigned usage utc_date utc_time utc_timestamp values varbinary varcharacter varying wait when where year_month
    zerofill`],
  ["k", `not in|into outfile|into dumpfile|for update|for update wait|for update nowait|alter table|alter domain|read write|with rollup|at time zone|next value for|in boolean mode|lock table|
    lock tables|lock in share mode|left join|left outer|left outer join|right join|right outer|right outer join|full join|full outer|full outer join|inner join|
    cross join|natural join|natural left|natural left outer|natural left outer join|natural right|natural full|natural inner|natural outer`],
  ["t", `_armscii8 _ascii _big5 _binary _cp1250 _cp1251 _cp1257 _cp850 _cp852 _cp866 _cp932 _dec8 _eucjpms _euckr _gb2312 _gbk
    _geostd8 _greek _hebrew _hp8 _keybcs2 _koi8r _koi8u _latin1 _latin2 _latin5 _latin7 _macce _macroman _sjis _swe7 _tis620
    _ujis _utf8 anyarray anyelement bigint bigserial binary boolean bytea character cstring decimal double float float4 float8
    int int1 int2 int3 int4 int8 integer money numeric oid real regclass regconfig regdictionary regoper regoperator regproc
    regprocedure regtype serial serial8 smallint smallserial text timestamp varchar void`],
  ["v", "current_date current_path current_time current_timestamp current_user localtime localtimestamp null unknown"],
  ["v", "current date|current function|current path|current schema|current server|current time|current timezone"],
  ["1", "true false"],
  ["A", "collate"],
  ["f", `abs acos adddate addtime aes_decrypt aes_encrypt age any app_name applock_mode applock_test array_agg array_cat array_fill
    array_length array_lower array_ndims array_prepend array_to_json array_to_string array_upper ascii asin assemblyproperty
    atan atan2 avg benchmark bin bit_and bit_count bit_length bit_or bit_xor bool_and bool_or btrim cast cbrt ceil ceiling
    certencoded certprivatekey changes char char_length character_length charindex charset chdir checksum_agg choose chr
    clock_timestamp coalesce coercibility col_length col_name collation columnproperty compress concat concat_ws connection_id
    conv convert convert_from convert_to convert_tz cos cot count crc32 cume_dist curdate curdir current_database
    current_query current_schema current_schemas current_setting currentuser currval cursor_status curtime cvar
    database_principal_id databasepropertyex datalength date date_add date_format date_part date_sub date_trunc dateadd
    datediff datefromparts datename datepart datetime2fromparts datetimefromparts datetimeoffsetfromparts day dayname
    dayofmonth dayofweek dayofyear db_id db_name decode degrees dense_rank des_decrypt des_encrypt difference elt encode
    encrypt enum_first enum_last enum_range eomonth exists exp export_set extract extractvalue field file_id file_idex
    file_name filegroup_id filegroup_name filegroupproperty fileproperty find_in_set first_value floor format found_rows
    from_base64 from_days from_unixtime fulltextcatalogproperty fulltextserviceproperty generate_series generate_subscripts
    get_bit get_byte get_format get_lock getattr getdate getutcdate greatest group_concat grouping grouping_id
    has_perms_by_name hashbytes hex host_name hour identify if iff ifnull iif index_col indexkey_property indexproperty
    inet_aton inet_ntoa initcap instr is_free_lock is_member is_rolemember is_srvrolemember is_used_lock isdate isempty
    isfinite isnull isnumeric json_keys julianday justify_days justify_hours justify_interval key_id lag last_insert_id
    last_insert_rowid last_value lastval lcase lead least left length ln load_file locate log log10 log2 lower lower_inc
    lower_inf lpad ltrim make_set makedate masklen master_pos_wait max md5 microsecond mid min minute mkdir month monthname
    name_const netmask nextval now nth_value ntile nullif nz object_definition object_id object_name object_schema_name
    objectproperty objectpropertyex oct octet_length old_password opendatasource openquery openrowset openxml ord
    original_db_name original_login overlaps overlay parsename patindex percent_rank percentile_disc period_add period_diff
    permissions pg_advisory_lock pg_backend_pid pg_cancel_backend pg_client_encoding pg_conf_load_time pg_create_restore_point
    pg_has_role pg_is_in_recovery pg_is_other_temp_schema pg_listening_channels pg_ls_dir pg_my_temp_schema
    pg_postmaster_start_time pg_read_binary_file pg_read_file pg_reload_conf pg_rotate_logfile pg_sleep pg_stat_file
    pg_terminate_backend pg_trigger_depth pi position pow power pwdcompare pwdencrypt quarter quote quote_ident quote_literal
    quote_nullable quotename radians rand random randomblob rank regexp_instr regexp_matches regexp_replace
    regexp_split_to_array regexp_split_to_table regexp_substr release_lock replicate reverse round row row_count row_number
    row_to_json rpad rtrim schema_id scope_identity sec_to_time serverproperty session_user set_bit set_byte set_config
    set_masklen setattr setseed setval sha sha1 sha2 sign sin sleep smalldatetimefromparts some soundex space split_part
    sqlite_version sqrt statement_timestamp stats_date stddev stddev_pop stddev_samp str_to_date strcmp string_agg
    string_to_array strpos stuff subdate substr substring substring_index subtime sum suser_id suser_name suser_sid
    suser_sname sysdate sysdatetime sysdatetimeoffset system_user tan textpos textptr textvalid time_format time_to_sec
    timediff timefromparts timeofday timestampadd to_ascii to_base64 to_char to_date to_days to_hex to_number to_seconds
    to_timestamp todatetimeoffset total transaction_timestamp translate trim trunc truncate try_cast try_convert try_parse
    type_id type_name typeof typeproperty ucase uncompress unhex unicode unix_timestamp unnest updatexml upper upper_inc
    upper_inf using uuid uuid_short var var_pop var_samp variance varp version week weekday weekofyear width_bucket
    xml_is_well_formed xmlagg xmlcomment xmlconcat xmlelement xmlexists xmlforest xmlpi xmlroot xmltype xpath xpath_exists year
    yearweek`],
  ["f", "if exists|if not|if not exists|procedure analyse|dbms_pipe.receive_message|dbms_lock.sleep|utl_inaddr.get_host_address|utl_inaddr.get_host_name|utl_http.request|ctxsys.drithsx.sn|dbms_utility.sqlid_to_sqlhash|user_lock.sleep"],
]; // prettier-ignore

const kinds = new Map<string, TokenKind>([["||", "&"]]);
for (const [kind, words] of table) {
  for (const word of words.split(words.includes("|") ? /\s*\|\s*/ : /\s+/)) kinds.set(word, kind);
}
const beginnings = new Set<string>();
// The beginning of a multi-word entry is a name, unless it is an entry itself.
for (const words of kinds.keys()) {
  for (let at = words.indexOf(" "); at > 0; at = words.indexOf(" ", at + 1)) {
    const beginning = words.slice(0, at);
    beginnings.add(beginning);
    if (!kinds.has(beginning)) kinds.set(beginning, "n");
  }
}

/** The length of the longest word of the language. */
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
