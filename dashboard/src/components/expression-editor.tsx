import { Box, Input, Paper, Textarea } from "@mantine/core";
import { useId } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState, type KeyboardEvent } from "react";

import type { ExpressionChecker, ExpressionIssue, ExpressionUse } from "../expression/checker.ts";
import { completionsFor, wordBefore, type Completion } from "../expression/completions.ts";
import classes from "./expression-editor.module.css";

interface ExpressionEditorProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  readonly onChange: (source: string) => void;
  readonly use: ExpressionUse;
  /** The server's message about the expression. */
  readonly error?: string | undefined;
  readonly isRequired?: boolean;
  readonly minRows?: number;
}

/** The language comes with the first editor that is shown. */
export const checkerQuery = {
  queryKey: ["expression-checker"],
  queryFn: async (): Promise<ExpressionChecker> =>
    (await import("../expression/checker.ts")).createExpressionChecker(),
  staleTime: Infinity,
  gcTime: Infinity,
};

/** Takes an expression, checks it while it is typed as the server will, and offers its fields and functions. */
export function ExpressionEditor({
  label,
  description,
  value,
  onChange,
  use,
  error,
  isRequired = true,
  minRows = 3,
}: ExpressionEditorProps) {
  const id = useId();
  const { data: checker, isError } = useQuery(checkerQuery);
  const [caret, setCaret] = useState<number>();
  const [chosen, setChosen] = useState(0);
  const [scrollTop, setScrollTop] = useState(0);
  const textarea = useRef<HTMLTextAreaElement>(null);
  const issue = value.trim() === "" ? undefined : checker?.issueIn(value, use);
  const word = caret === undefined ? undefined : wordBefore(value, caret);
  const offered =
    word === undefined || checker === undefined ? [] : completionsFor(word.text, checker.completions(use));
  const active = offered[Math.min(chosen, offered.length - 1)];
  const listId = `${id}-completions`;

  const complete = ({ insert }: Completion): void => {
    if (word === undefined || caret === undefined) return;
    onChange(value.slice(0, word.start) + insert + value.slice(caret));
    const end = word.start + insert.length;
    setCaret(undefined);
    requestAnimationFrame(() => {
      textarea.current?.focus();
      textarea.current?.setSelectionRange(end, end);
    });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (active === undefined) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((offered.indexOf(active) + step + offered.length) % offered.length);
    else if (event.key === "Enter" || event.key === "Tab") complete(active);
    else if (event.key === "Escape") setCaret(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={description}
      error={issue === undefined ? error : `${placeOf(value, issue)}: ${issue.reason}`}
      required={isRequired}
      withAsterisk={false}
    >
      <Box className={classes.frame ?? ""} my={4}>
        <Marked source={value} issue={issue} scrollTop={scrollTop} />
        <Textarea
          ref={textarea}
          id={id}
          value={value}
          autosize
          minRows={minRows}
          maxRows={12}
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          required={isRequired}
          error={issue !== undefined || error !== undefined}
          withErrorStyles={false}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={offered.length > 0 ? listId : undefined}
          aria-activedescendant={active === undefined ? undefined : `${listId}-${active.name}`}
          aria-invalid={issue !== undefined || error !== undefined}
          onChange={(event) => {
            onChange(event.currentTarget.value);
            setCaret(event.currentTarget.selectionStart);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setCaret(undefined)}
          onClick={() => setCaret(undefined)}
          onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
        />
        {offered.length > 0 && (
          <Completions id={listId} offered={offered} active={active} onChoose={complete} />
        )}
      </Box>
      {isError && (
        <Input.Description>
          Expressions cannot be checked here at the moment; the server checks them when they are saved.
        </Input.Description>
      )}
    </Input.Wrapper>
  );
}

interface MarkedProps {
  readonly source: string;
  readonly issue: ExpressionIssue | undefined;
  readonly scrollTop: number;
}

/** The same text once more, invisible but for the line under what is wrong. */
function Marked({ source, issue, scrollTop }: MarkedProps) {
  if (issue === undefined) return undefined;
  const { start } = issue.span;
  const end = Math.max(issue.span.end, start + 1);
  return (
    <div className={classes.text ?? ""} aria-hidden ref={(element) => element?.scrollTo(0, scrollTop)}>
      {source.slice(0, start)}
      <mark className={classes.issue ?? ""}>{source.slice(start, end) || " "}</mark>
      {source.slice(end)}
    </div>
  );
}

interface CompletionsProps {
  readonly id: string;
  readonly offered: readonly Completion[];
  readonly active: Completion | undefined;
  readonly onChoose: (completion: Completion) => void;
}

function Completions({ id, offered, active, onChoose }: CompletionsProps) {
  return (
    <Paper
      withBorder
      shadow="md"
      p={4}
      className={classes.completions ?? ""}
      id={id}
      role="listbox"
      aria-label="Fields and functions"
    >
      {offered.map((completion) => (
        <div
          key={completion.name}
          id={`${id}-${completion.name}`}
          role="option"
          tabIndex={-1}
          aria-selected={completion === active}
          className={classes.option ?? ""}
          // The text keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            onChoose(completion);
          }}
        >
          <span className="monospace">{completion.name}</span>
          <span className={classes.detail ?? ""}>{completion.detail}</span>
        </div>
      ))}
    </Paper>
  );
}

/** "Line 2, column 5", or only the column where there is one line. */
function placeOf(source: string, { span: { start } }: ExpressionIssue): string {
  const before = source.slice(0, start).split("\n");
  const column = `column ${(before.at(-1)?.length ?? 0) + 1}`;
  return source.includes("\n") ? `Line ${before.length}, ${column}` : `C${column.slice(1)}`;
}
