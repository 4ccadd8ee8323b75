/**
 * Rules of oxlint for comments (CONTRIBUTING.md, "Comments"): a reader must understand one without reading
 * the code below it, and lose no time on one that says what the code says.
 */
import type { RuleTester } from "oxlint/plugins-dev";

type Rule = Extract<Parameters<RuleTester["run"]>[1], { create: unknown }>;
type Context = Parameters<Rule["create"]>[0];
type Visitor = ReturnType<Rule["create"]>;
type Comment = ReturnType<Context["sourceCode"]["getAllComments"]>[number];
type Kind =
  | "TSPropertySignature"
  | "TSMethodSignature"
  | "PropertyDefinition"
  | "MethodDefinition"
  | "Property";
type Member = { [Of in Kind]: Parameters<NonNullable<Visitor[Of]>>[0] }[Kind];

/** A little more than the `printWidth` of `.oxfmtrc.json`, at which the formatter breaks code, but no comments. */
const widthMax = 120;

/** Words that point at the code below, or at something that the comment has not named yet. */
const pointing =
  /^(?:what|whatever|who|whom|whose|whoever|those|these|this|that|they|it|(?:so|as) (?:many|much|long|far|few))\b/i;
/** A docstring is the entry of a dictionary besides: it may not begin as the rest of a sentence does. */
const continuing = /^(?:how|why|where|wherever|when|whenever|which|whichever|so|as|of)\b/i;

const typesThatAreNotBoolean =
  /^(?:string|number|bigint|Date|void|(?:string|number|bigint)(?: \| (?:string|number|bigint|null|undefined))+)$/;

/** Words that add nothing to a name and a type. */
const fillers = new Set(
  `a an and are as at be been being by each every for from had has have if in into is it its of on one or
  that the their them there they this those to was were what when where whether which who whose will with
  all any can given id ids list may name names number text texts value values`.split(/\s+/),
);

/**
 * Comments begin with a verb, with the thing itself, or with "Whether" of something that is true or false.
 */
const firstWord = {
  create: (context: Context): Visitor => ({
    Program() {
      let lastLine = -1;
      for (const comment of context.sourceCode.getAllComments()) {
        const { start, end } = comment.loc;
        const isContinued = comment.type === "Line" && start.line === lastLine + 1;
        lastLine = comment.type === "Line" ? end.line : -1;
        const text = textOf(comment);
        const riddle = isContinued
          ? null
          : (pointing.exec(text) ?? (isDocstring(comment) ? continuing.exec(text) : null));
        if (riddle !== null)
          context.report({
            node: comment,
            message: `A comment may not begin with "${riddle[0]}": begin with a verb, the thing itself, or "Whether" of a boolean.`,
          });
      }
    },
    ...onMembers(context, (comment, member) => {
      if (!/^whether\b/i.test(textOf(comment))) return;
      const type = typeOf(context, member);
      if (typesThatAreNotBoolean.test(type))
        context.report({
          node: comment,
          message: `"Whether" is for what is true or false, and this is ${type}.`,
        });
    }),
  }),
};

/** No line with a comment is much longer than the lines of code. */
const width = {
  create: (context: Context): Visitor => ({
    Program() {
      const { lines } = context.sourceCode;
      for (const comment of context.sourceCode.getAllComments())
        for (let number = comment.loc.start.line; number <= comment.loc.end.line; number++) {
          const line = lines[number - 1] ?? "";
          // A link cannot be broken, and a directive belongs to its line.
          if (line.length <= widthMax || /^\W*\S+$|prettier-ignore|oxlint-disable/.test(line)) continue;
          context.report({
            node: comment,
            message: `Line ${number} has ${line.length} characters; comments obey the line width of ${widthMax}.`,
          });
        }
    },
  }),
};

/** The docstring of a member says something that its name, its type and the name of its owner do not say. */
const sayMore = {
  create: (context: Context): Visitor =>
    onMembers(context, (comment, member) => {
      const text = textOf(comment);
      if (/[\d`]/.test(text)) return;
      const file = context.filename.split("/").slice(-2).join(" ");
      const known = new Set([file, ...namesAround(member), typeOf(context, member)].flatMap(wordsOf));
      const news = wordsOf(text).filter((word) => !known.has(word) && !fillers.has(word));
      if (news.length === 0)
        context.report({
          node: comment,
          message:
            "The name and the type say as much: leave the docstring out, or add a unit, a bound, a source or a reason.",
        });
    }),
};

export default {
  meta: { name: "words" },
  rules: { "first-word": firstWord, width, "say-more": sayMore },
};

function onMembers(context: Context, check: (docstring: Comment, member: Member) => void): Visitor {
  const visit = (member: Member) => {
    const comment = context.sourceCode.getCommentsBefore(member).at(-1);
    if (comment !== undefined && isDocstring(comment)) check(comment, member);
  };
  return {
    TSPropertySignature: visit,
    TSMethodSignature: visit,
    PropertyDefinition: visit,
    MethodDefinition: visit,
    Property: visit,
  };
}

function isDocstring(comment: Comment): boolean {
  return comment.type === "Block" && comment.value.startsWith("*");
}

function textOf(comment: Comment): string {
  return comment.value.replaceAll(/^\s*\*+ ?/gm, "").trim();
}

/** The type that is written down, without its colon; empty where it is inferred. */
function typeOf(context: Context, member: Member): string {
  const annotated = member.type === "MethodDefinition" ? member.value : member;
  const written =
    "returnType" in annotated
      ? annotated.returnType
      : "typeAnnotation" in annotated
        ? annotated.typeAnnotation
        : null;
  return written ? context.sourceCode.text.slice(...written.range).replace(/^:\s*/, "") : "";
}

/** The name of a member and of whatever it stands in. */
function namesAround(member: Member): readonly string[] {
  const names: string[] = [];
  for (let node: Member | Member["parent"] | null = member; node !== null; node = node.parent) {
    const named = "key" in node ? node.key : "id" in node ? node.id : null;
    if (named !== null && "name" in named && typeof named.name === "string") names.push(named.name);
  }
  return names;
}

/**
 * Words in lower case and without their endings, also those of which names are made: `hostName` is "host
 * name".
 */
function wordsOf(text: string): string[] {
  const words =
    text
      .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[a-z]+|\d+/g) ?? [];
  return words.map((word) => (word.length > 3 ? word.replace(/(?:ies|y|e?s|ed|ing|e|er|or)$/, "") : word));
}
