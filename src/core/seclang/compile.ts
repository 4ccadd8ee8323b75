import { lowerAscii } from "../expression/byte-string.ts";
import { compileOperator, compileText, type OperatorEnvironment } from "./operators/compile-operator.ts";
import { LiteralGroups, type LiteralGroup } from "./operators/literal-filter.ts";
import {
  parseActions,
  type Action,
  readDirectives,
  type Directive,
  type RuleFile,
  SecLangError,
  type Location,
} from "./parse/directives.ts";
import {
  parseTargets,
  type CountableTarget,
  type Selector,
  type Target,
  isFixed as isVariableFixed,
} from "./parse/targets.ts";
import {
  parseControl,
  parseIds,
  type CompiledTarget,
  type CompiledTargets,
  type Link,
  type Phase,
  type Rule,
  type Test,
  type RuleSet,
  severities,
  type Severity,
  isStoredCollection,
  parseSetVariable,
} from "./evaluate/rule.ts";
import { compileMacro } from "./operators/operator.ts";
import { Chains, stepsOf, type Chain } from "./transform/chain.ts";

const supported =
  "SecRule, SecAction, SecMarker, SecComponentSignature, SecDefaultAction, SecCollectionTimeout, SecRuleRemoveById, SecRuleRemoveByTag and SecRuleUpdateTargetById";

/** Actions that are ignored: the caller decides what happens to a request. */
const ignored: ReadonlySet<string> = new Set([
  "allow", "auditlog", "block", "deny", "drop", "expirevar", "initcol", "log", "maturity", "accuracy", "noauditlog", "pass",
  "redirect", "rev", "status", "t", "ver", "chain", "capture", "multimatch", "nolog", "id", "phase", "msg", "logdata",
  "severity", "skip", "skipafter", "tag",
]); // prettier-ignore

/**
 * Compiles rules in the order of the files. Throws SecLangError for the first invalid or unsupported
 * directive.
 */
export function compileRules(files: readonly RuleFile[], environment: OperatorEnvironment): RuleSet {
  const steps = compileRulesInSteps(files, environment);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Compiles rules like `compileRules`, one directive per step. */
export function* compileRulesInSteps(
  files: readonly RuleFile[],
  environment: OperatorEnvironment,
): Generator<undefined, RuleSet> {
  const compiler = new Compiler(environment);
  for (const file of files) {
    for (const directive of readDirectives(file)) {
      compiler.add(directive);
      yield;
    }
  }
  return compiler.finish();
}

interface OpenRule {
  readonly location: Location;
  readonly actions: readonly Action[];
  readonly links: Link[];
  readonly position: number;
  readonly phase: Phase;
}

type CompileTest = (actions: readonly Action[], phase: Phase) => Test;

class Compiler {
  readonly #environment: OperatorEnvironment;
  readonly #chains: Chains;
  /** The literals of rules for requests, and of rules for responses. */
  readonly #literals = { request: new LiteralGroups(0), response: new LiteralGroups(1) };
  readonly #target = new Map<string, CompiledTarget>();
  readonly #targets = new Map<string, CompiledTargets>();
  readonly #sharedIndexes = new Map<string, number>();
  readonly #markers = new Map<string, number>();
  #rules: Rule[] = [];
  #open: OpenRule | undefined;
  #version: string | undefined;
  #position = 0;

  constructor(environment: OperatorEnvironment) {
    this.#environment = environment;
    this.#chains = new Chains(environment.sha1);
  }

  add(directive: Directive): void {
    const { name, words, location } = directive;
    switch (name.toLowerCase()) {
      case "secrule":
        this.#addRule(location, words[2] ?? "", this.#compileTest(directive));
        break;
      case "secaction":
        this.#addRule(location, words[0] ?? "", undefined);
        break;
      case "secmarker":
        this.#markers.set(words[0] ?? "", (this.#position += 1));
        break;
      case "seccomponentsignature":
        this.#version ??= words[0];
        break;
      case "secdefaultaction":
      case "seccollectiontimeout":
        break;
      case "secruleremovebyid":
        this.#removeByIds(location, words);
        break;
      case "secruleremovebytag":
        this.#rules = this.#rules.filter(({ tags }) => !tags.some((tag) => tag.includes(words[0] ?? "")));
        break;
      case "secruleupdatetargetbyid":
        this.#updateTargets(directive);
        break;
      default:
        throw new SecLangError(location, `"${name}" is not supported; these are: ${supported}`);
    }
  }

  finish(): RuleSet {
    if (this.#open !== undefined) throw new SecLangError(this.#open.location, "the chain has no next rule");
    const { request, response } = this.#literals;
    void request.filter;
    void response.filter;
    const rules = this.#rules;
    const of = (phase: Phase): Rule[] => rules.filter((rule) => rule.phase === phase);
    const phases = { 1: of(1), 2: of(2), 3: of(3), 4: of(4), 5: of(5) };
    return { version: this.#version, rules, phases, markers: this.#markers };
  }

  #addRule(location: Location, text: string, test: CompileTest | undefined): void {
    const actions = parseActions(location, text);
    const open = this.#open ?? {
      location,
      actions,
      links: [],
      position: (this.#position += 1),
      phase: parsePhase(location, valueOf(actions, "phase") ?? "2"),
    };
    const link = compileLink(location, actions, test?.(actions, open.phase));
    open.links.push(link);
    this.#open = valueOf(actions, "chain") === undefined ? undefined : open;
    if (this.#open === undefined) this.#rules.push(compileRule(open));
  }

  #compileTest({ location, words }: Directive): CompileTest {
    const [targets, condition] = words;
    if (targets === undefined || condition === undefined) {
      throw new SecLangError(location, "a rule has variables and an operator");
    }
    const [, sign = "", name = "rx", argument = condition] =
      /^\s*(!?)\s*@(\w+)\s*(.*)$/s.exec(condition) ?? [];
    const operator = compileOperator(location, name, argument, this.#environment);
    const compiledTargets = this.#compileTargets(location, targets);
    return (actions, phase) => {
      const names = actions.filter((action) => action.name === "t").map(({ value }) => value);
      const transformations = this.#chains.of(names);
      if (transformations === undefined) {
        throw new SecLangError(location, `a transformation of "${names.join(",")}" is not supported`);
      }
      const isNegated = sign === "!";
      const chains =
        valueOf(actions, "multimatch") === undefined ? [transformations] : stepsOf(transformations);
      const literals =
        operator.literals && this.#literals[phase < 3 ? "request" : "response"].add(operator.literals);
      return {
        targets: compiledTargets,
        chains,
        operator,
        literals,
        sharedIndex:
          literals && !isNegated ? this.#sharedIndex(compiledTargets, chains, literals) : undefined,
        isNegated,
        captures: valueOf(actions, "capture") !== undefined,
      };
    };
  }

  #sharedIndex(
    { isFixed, index }: CompiledTargets,
    chains: readonly Chain[],
    { groups }: LiteralGroup,
  ): number | undefined {
    if (!isFixed) return undefined;
    return indexOf(
      this.#sharedIndexes,
      `${index} ${chains.map((chain) => chain.index).join()} ${groups.index}`,
    );
  }

  #compileTargets(location: Location, text: string): CompiledTargets {
    const known = this.#targets.get(text);
    if (known !== undefined) return known;
    const { included, excluded } = parseTargets(location, text);
    const targets: CompiledTargets = {
      text,
      index: this.#targets.size,
      isFixed: included.every(({ variable }) => isVariableFixed(variable)),
      isStored: included.every(({ variable }) => isStoredCollection(variable)),
      included: included.map((target) =>
        this.#compileTarget(
          location,
          target,
          excluded.filter(({ variable }) => variable === target.variable),
        ),
      ),
    };
    this.#targets.set(text, targets);
    return targets;
  }

  #compileTarget(location: Location, target: CountableTarget, excluded: readonly Target[]): CompiledTarget {
    const key = JSON.stringify([target, excluded]);
    const known = this.#target.get(key);
    if (known !== undefined) return known;
    const { variable, selector, isCount } = target;
    const compiled: CompiledTarget = {
      index: this.#target.size,
      variable,
      name: selector?.kind === "name" ? selector.name : undefined,
      isSelected: selector && compileSelectors(location, [selector]),
      isExcluded: compileExcluded(location, excluded),
      isCount,
    };
    this.#target.set(key, compiled);
    return compiled;
  }

  #removeByIds(location: Location, words: readonly string[]): void {
    const ranges = words.map((word) => parseIds(location, word));
    this.#rules = this.#rules.filter(
      ({ id }) => !ranges.some(({ first, last }) => id >= first && id <= last),
    );
  }

  #updateTargets({ location, words: [ids = "", targets = ""] }: Directive): void {
    const { first, last } = parseIds(location, ids);
    this.#rules = this.#rules.map((rule) =>
      rule.id >= first && rule.id <= last ? this.#withTargets(rule, location, targets) : rule,
    );
  }

  #withTargets(rule: Rule, location: Location, added: string): Rule {
    const [head, ...chained] = rule.links;
    if (head?.test === undefined) return rule;
    const targets = this.#compileTargets(location, `${head.test.targets.text}|${added}`);
    const { chains, literals, sharedIndex } = head.test;
    const test = {
      ...head.test,
      targets,
      sharedIndex:
        literals && sharedIndex !== undefined ? this.#sharedIndex(targets, chains, literals) : undefined,
    };
    return { ...rule, links: [{ ...head, test }, ...chained] };
  }
}

type IsMeant = (name: string) => boolean;

function compileExcluded(location: Location, excluded: readonly Target[]): IsMeant | undefined {
  if (excluded.length === 0) return undefined;
  const selectors = excluded.map(({ selector }) => selector);
  return selectors.includes(undefined)
    ? () => true
    : compileSelectors(
        location,
        selectors.filter((selector) => selector !== undefined),
      );
}

/** Whether the name of an entry is one of the names, or matches one of the patterns. */
function compileSelectors(location: Location, selectors: readonly Selector[]): IsMeant {
  const names = new Set(selectors.flatMap((selector) => (selector.kind === "name" ? [selector.name] : [])));
  const patterns = selectors.flatMap((selector) => (selector.kind === "pattern" ? [selector.pattern] : []));
  const isNamed: IsMeant = (entry) => names.has(lowerAscii(entry));
  if (patterns.length === 0) return isNamed;
  const { isMatch } = compileText(`(?i)(?:${patterns.join(")|(?:")})`, location);
  return names.size === 0 ? isMatch : (entry) => isMatch(entry) || isNamed(entry);
}

/** The index of a text; a new text gets the next index. */
function indexOf(indexes: Map<string, number>, text: string): number {
  const index = indexes.get(text) ?? indexes.size;
  indexes.set(text, index);
  return index;
}

function compileLink(location: Location, actions: readonly Action[], test: Test | undefined): Link {
  for (const { name } of actions) {
    if (name !== "setvar" && name !== "ctl" && !ignored.has(name)) {
      throw new SecLangError(location, `the action "${name}" is not supported`);
    }
  }
  return {
    test,
    setVariables: valuesOf(actions, "setvar").map((value) => parseSetVariable(location, value)),
    controls: valuesOf(actions, "ctl").flatMap((value) => parseControl(location, value) ?? []),
  };
}

function compileRule({ location, actions, links, position, phase }: OpenRule): Rule {
  const id = Number(valueOf(actions, "id"));
  if (!Number.isSafeInteger(id) || id <= 0) throw new SecLangError(location, "a rule has an id");
  const message = valueOf(actions, "msg") ?? "";
  return {
    id,
    phase,
    message,
    describe: compileMacro(message),
    tags: valuesOf(actions, "tag"),
    severity: parseSeverity(location, valueOf(actions, "severity")),
    isLogged: valueOf(actions, "nolog") === undefined,
    links,
    skipAfter: valueOf(actions, "skipafter"),
    skip: Number(valueOf(actions, "skip") ?? 0),
    position,
  };
}

const namedPhases: Readonly<Record<string, Phase>> = { request: 2, response: 4, logging: 5 };

function parsePhase(location: Location, text: string): Phase {
  const phase = namedPhases[text.toLowerCase()] ?? Number(text);
  if (phase === 1 || phase === 2 || phase === 3 || phase === 4 || phase === 5) return phase;
  throw new SecLangError(location, `"${text}" is no phase`);
}

function parseSeverity(location: Location, text: string | undefined): Severity | undefined {
  if (text === undefined) return undefined;
  const severity = severities[Number(text)] ?? severities.find((name) => name === text.toUpperCase());
  if (severity === undefined) throw new SecLangError(location, `"${text}" is no severity`);
  return severity;
}

function valueOf(actions: readonly Action[], name: string): string | undefined {
  return actions.find((action) => action.name === name)?.value;
}

function valuesOf(actions: readonly Action[], name: string): string[] {
  return actions.filter((action) => action.name === name).map(({ value }) => value);
}
