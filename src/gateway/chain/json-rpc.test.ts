import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { array, assert as assertProperty, json, property } from "fast-check";

import { elementTexts, memberTexts } from "./json-rpc.ts";

/** The same value with white space wherever JSON allows it. */
function spread(value: unknown): string {
  return JSON.stringify(value, undefined, "\t ");
}

describe("the parts of a JSON text", () => {
  test("are those that JSON.parse sees, whatever the value and its white space", () => {
    assertProperty(
      property(json(), array(json()), (text, texts) => {
        const object = { first: JSON.parse(text) as unknown, "": 1, '"\\': [texts] };
        for (const written of [JSON.stringify(object), spread(object)]) {
          const members = [...memberTexts(written)].map(([name, part]) => [
            name,
            JSON.parse(part) as unknown,
          ]);
          assert.deepEqual(members, Object.entries(object));
        }
        const values = texts.map((one) => JSON.parse(one) as unknown);
        for (const written of [JSON.stringify(values), spread(values)]) {
          assert.deepEqual(
            elementTexts(written).map((part) => JSON.parse(part) as unknown),
            values,
          );
        }
      }),
    );
  });

  test("stay as they are written", () => {
    const text = ' { "a" : 1.0e0 , "b":"\\u0061\\\\\\"}", "c": [ 1 , {} ] , "a":-0 } ';
    assert.deepEqual(
      [...memberTexts(text)],
      [
        ["a", "-0"],
        ["b", '"\\u0061\\\\\\"}"'],
        ["c", "[ 1 , {} ]"],
      ],
    );
    assert.deepEqual(elementTexts('[ 1.50 ,"]" , [2] ]'), ["1.50", '"]"', "[2]"]);
  });
});
