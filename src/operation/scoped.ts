import { Type, type TObject, type TSchema } from "@sinclair/typebox";
import type { Caller } from "../core/policy/caller.ts";
import type { FormBody } from "../core/forms/multipart.ts";
import type { CursorPage, CursorRequest, Page, PageRequest } from "../core/page.ts";
import type { JsonItems } from "../core/json.ts";
import type { Permission } from "../core/policy/permission.ts";
import { cursorPageBody, pageBody, successBody, type Message } from "../api/envelope.ts";
import { formOf } from "../api/validation.ts";
import {
  readCursorRequest,
  readPageRequest,
  type CursorListOptions,
  type ListOptions,
} from "../api/pagination.ts";
import type { Method, RouteRequest } from "../api/route.ts";
import type { Db } from "../storage/tables.ts";
import type { Change } from "./audit.ts";
import type { Context } from "./context.ts";
import type { TaskWatch } from "./task.ts";
import {
  describe,
  inputReader,
  type Description,
  type Input,
  type Operation,
  type Work,
} from "./operation.ts";
import { unitOfWork, type ChangeWork } from "./unit-of-work.ts";

/**
 * The kind of thing that operations act on: a zone, an account, the calling user, or nothing in particular.
 */
export interface ScopeKind<Scope, PermissionName> {
  /** Translates the name of a permission. */
  readonly permission: (name: PermissionName) => Permission;
  /** The scope as it was authorized. Throws for a scope that these operations do not support. */
  readonly ofRequest: (request: RouteRequest) => Scope;
  /**
   * Locks the scope that the request names until the transaction ends, and reads it: it may have changed
   * while the body arrived. Errors: 404 code 1001, and those of `ofRequest`.
   */
  readonly lock: (tx: Db, request: RouteRequest) => Promise<Scope>;
  /** The id of the zone that `lock` locks. */
  readonly zoneId?: (request: RouteRequest) => string | undefined;
  /** The owner of the entries of the audit log. */
  readonly owner: (scope: Scope) => Change["owner"] | undefined;
}

interface Permitted<PermissionName> {
  readonly permission: PermissionName;
}

export type ReadWork<Scope, Needs extends Context> = Work<Needs> & Scope & { readonly db: Db };

export type WriteWork<Scope, Needs extends Context> = Work<Needs> & Scope & ChangeWork;

/** A page of items that are already JSON. */
interface JsonPage {
  readonly items: JsonItems;
  readonly totalCount: number;
}

interface Prepared<Value> {
  readonly prepared: Value;
}

export function reads<Scope extends object, PermissionName>(kind: ScopeKind<Scope, PermissionName>) {
  return function read<
    const Name extends string,
    const Path extends string,
    Result extends TSchema,
    Query extends TObject | undefined = undefined,
    Body extends TSchema | undefined = undefined,
    Needs extends Context = Context,
    const M extends Method = "GET",
    Run = unknown,
  >(
    spec: Description<Name, Path, Query, Body, Result> &
      Permitted<PermissionName> & {
        /** GET unless it needs a body. */
        readonly method?: M;
        readonly run: (work: ReadWork<Scope, Needs>, input: Input<Path, Query, Body>) => Promise<Run>;
      },
  ) {
    const method = spec.method ?? ("GET" as M);
    const readInput = inputReader<Path, Query, Body>(spec, method);
    return {
      ...describe(spec, method, kind.permission(spec.permission)),
      run: spec.run,
      handle: async (context, request) => {
        const messages: Message[] = [];
        const input = readInput(request);
        const work = readWork(kind, context, request, messages);
        return successBody(await spec.run(work, input), messages);
      },
    } satisfies Operation<Needs> & { run: unknown };
  };
}

export function lists<Scope extends object, PermissionName>(kind: ScopeKind<Scope, PermissionName>) {
  return function list<
    const Name extends string,
    const Path extends string,
    Result extends TSchema,
    const Ordering extends string,
    Query extends TObject | undefined = undefined,
    Needs extends Context = Context,
  >(
    spec: Description<Name, Path, Query, undefined, Result> &
      Permitted<PermissionName> & {
        readonly list: ListOptions<Ordering>;
        readonly run: (
          work: ReadWork<Scope, Needs>,
          input: Input<Path, Query> & { readonly page: PageRequest<Ordering> },
        ) => Promise<Page<unknown> | JsonPage>;
      },
  ) {
    const readInput = inputReader<Path, Query, undefined>(spec, "GET");
    return {
      ...describe(spec, "GET", kind.permission(spec.permission)),
      run: spec.run,
      list: spec.list,
      handle: async (context, request) => {
        const page = readPageRequest(request.query, spec.list);
        const input = { ...readInput(request), page };
        const work = readWork(kind, context, request);
        const { items, totalCount } = await spec.run(work, input);
        return pageBody(items, totalCount, page);
      },
    } satisfies Operation<Needs> & { run: unknown };
  };
}

/** Lists of one scope that are paginated by cursor, as they may be too long for page numbers. */
export function cursorLists<Scope extends object, PermissionName>(kind: ScopeKind<Scope, PermissionName>) {
  return function cursorList<
    const Name extends string,
    const Path extends string,
    Result extends TSchema,
    Query extends TObject | undefined = undefined,
    Needs extends Context = Context,
  >(
    spec: Description<Name, Path, Query, undefined, Result> &
      Permitted<PermissionName> & {
        readonly list: CursorListOptions;
        readonly run: (
          work: ReadWork<Scope, Needs>,
          input: Input<Path, Query> & { readonly page: CursorRequest },
        ) => Promise<CursorPage<unknown>>;
      },
  ) {
    const readInput = inputReader<Path, Query, undefined>(spec, "GET");
    return {
      ...describe(spec, "GET", kind.permission(spec.permission)),
      run: spec.run,
      cursorList: spec.list,
      handle: async (context, request) => {
        const page = readCursorRequest(request.query, spec.list);
        const input = { ...readInput(request), page };
        const work = readWork(kind, context, request);
        return cursorPageBody(await spec.run(work, input));
      },
    } satisfies Operation<Needs> & { run: unknown };
  };
}

/** Operations of one scope that answer text of any length. */
export function texts<Scope extends object, PermissionName>(kind: ScopeKind<Scope, PermissionName>) {
  return function text<
    const Name extends string,
    const Path extends string,
    Result extends TSchema,
    Needs extends Context = Context,
  >(
    spec: Description<Name, Path, undefined, undefined, Result> &
      Permitted<PermissionName> & {
        readonly contentType: string;
        readonly run: (
          work: ReadWork<Scope, Needs>,
          input: Input<Path>,
        ) => Promise<AsyncIterable<string | Uint8Array>>;
      },
  ) {
    const { contentType } = spec;
    const readInput = inputReader<Path, undefined, undefined>(spec, "GET");
    return {
      ...describe(spec, "GET", kind.permission(spec.permission)),
      run: spec.run,
      textType: contentType,
      handle: async (context, request) => {
        const work = readWork(kind, context, request);
        return { contentType, chunks: await spec.run(work, readInput(request)) };
      },
    } satisfies Operation<Needs> & { run: unknown };
  };
}

/** Octets of a form besides its file. */
const formBytesMax = 64 * 1024;

/**
 * Operations of one scope that take a form with a file (multipart field `file`). `run` gets the unparsed form
 * and passes it to a task, which may take long and opens its own unit of work. If it passes `watch` too, the
 * task ends when the client disconnects, and reports its progress to a client that asks for it.
 */
export function uploads<Scope extends object, PermissionName>(kind: ScopeKind<Scope, PermissionName>) {
  return function upload<
    const Name extends string,
    const Path extends string,
    Body extends TObject,
    Result extends TSchema,
    Needs extends Context = Context,
  >(
    spec: Omit<Description<Name, Path, undefined, Body, Result>, "query" | "bodyError"> &
      Permitted<PermissionName> & {
        /** The schema of the form, for the documents. */
        readonly body: Body;
        /** Octets of the largest file. */
        readonly fileBytesMax: number;
        readonly progress?: TObject;
        readonly run: (
          work: ReadWork<Scope, Needs>,
          input: Pick<Input<Path>, "params"> & { readonly form: FormBody; readonly watch: TaskWatch },
        ) => Promise<unknown>;
      },
  ) {
    return {
      ...describe(spec, "POST", kind.permission(spec.permission)),
      run: spec.run,
      uploadBytesMax: spec.fileBytesMax + formBytesMax,
      ...(spec.progress && { progress: spec.progress }),
      handle: async (context, request) => {
        const messages: Message[] = [];
        const work = readWork(kind, context, request, messages);
        const params = request.params as Input<Path>["params"];
        const form = formOf(request.body, request.contentType);
        const answer = async (onProgress?: TaskWatch["onProgress"]): Promise<string> => {
          const watch = { signal: request.untilGone(), onProgress };
          return successBody(await spec.run(work, { params, form, watch }), messages);
        };
        return spec.progress !== undefined && request.wantsProgress ? { follow: answer } : answer();
      },
    } satisfies Operation<Needs> & { run: unknown };
  };
}

/** The schema of the result of an operation that answers nothing. */
export const Nothing = Type.Undefined();

/**
 * Operations of one scope that change something: `prepare` first, where there is work that must not happen
 * inside a transaction (looking up DNS, compiling expressions), then `run` in one transaction on the locked
 * scope.
 */
export function writes<Scope extends object, PermissionName>(kind: ScopeKind<Scope, PermissionName>) {
  return function write<
    const Name extends string,
    const Path extends string,
    Result extends TSchema,
    Query extends TObject | undefined = undefined,
    Body extends TSchema | undefined = undefined,
    Needs extends Context = Context,
    const M extends Method = Method,
    Preparation = undefined,
    Run = unknown,
  >(
    spec: Description<Name, Path, Query, Body, Result> &
      Permitted<PermissionName> & {
        readonly method: M;
        readonly describeIn?: Operation<Needs>["describeIn"];
        /** Whether a success is a 204 without a body. */
        readonly answersNothing?: true;
        readonly prepare?: (
          work: ReadWork<Scope, Needs>,
          input: Input<Path, Query, Body>,
        ) => Promise<Preparation>;
        readonly run: (
          work: WriteWork<Scope, Needs>,
          input: Input<Path, Query, Body> & Prepared<Preparation>,
        ) => Promise<Run>;
      },
  ) {
    const readInput = inputReader<Path, Query, Body>(spec, spec.method);
    return {
      ...describe(spec, spec.method, kind.permission(spec.permission)),
      run: spec.run,
      ...(spec.prepare === undefined && { readsScopeLocked: true as const }),
      ...(spec.answersNothing && { answersNothing: true as const }),
      ...(spec.describeIn && { describeIn: spec.describeIn }),
      handle: async (context, request) => {
        const messages: Message[] = [];
        const input = readInput(request);
        const started = startedWork(context, request, messages);
        const prepared = (await spec.prepare?.(
          { ...kind.ofRequest(request), ...started },
          input,
        )) as Preparation;
        const messagesOfPreparation = messages.length;
        const result = await unitOfWork(
          context,
          started.caller,
          async (tx) => {
            // The transaction may be a retry.
            messages.length = messagesOfPreparation;
            const scope = await kind.lock(tx, request);
            return { scope: { ...started, ...scope }, owner: kind.owner(scope) };
          },
          (work) => spec.run(work, { ...input, prepared }),
          kind.zoneId?.(request),
        );
        return spec.answersNothing ? undefined : successBody(result, messages);
      },
    } satisfies Operation<Needs> & { run: unknown };
  };
}

function readWork<Scope extends object, Needs extends Context>(
  kind: ScopeKind<Scope, never>,
  context: Needs,
  request: RouteRequest,
  messages: Message[] = [],
): ReadWork<Scope, Needs> {
  return { ...kind.ofRequest(request), ...startedWork(context, request, messages) };
}

function startedWork<Needs extends Context>(
  context: Needs,
  request: RouteRequest,
  messages: Message[],
): ReadWork<object, Needs> {
  return {
    context,
    caller: request.caller as Caller,
    now: context.now(),
    addMessage: (message) => void messages.push(message),
    db: context.db.read,
  };
}
