import assert from "node:assert/strict";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { arbitraryInputs } from "../../../../test/support/arbitraries/record-data.ts";
import { roundsOr } from "../../../../test/support/rounds.ts";
import { AppError } from "../../error.ts";
import { parseRdata } from "../content/rdata.ts";
import { recordTypes } from "../content/record-types.ts";
import { recordData } from "./record-data.ts";
import { recordInput } from "./record-input.ts";
import { WireError } from "./octets.ts";

const zoneName = "example.com";

describe("the data of a record from the wire", () => {
  for (const type of recordTypes) {
    test(`of the type ${type} is the same again on the wire`, () => {
      fc.assert(
        fc.property(arbitraryInputs[type], (input) => {
          const octets = recordData(type, parseRdata(type, input, zoneName));
          const read = parseRdata(type, recordInput(type, octets), zoneName);
          assert.equal(recordData(type, read), octets);
        }),
        { numRuns: roundsOr(200) },
      );
    });

    test(`of the type ${type} is read or refused, whatever it is`, () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
          const octets = String.fromCharCode(...bytes);
          try {
            parseRdata(type, recordInput(type, octets), zoneName);
          } catch (error) {
            assert.ok(error instanceof WireError || error instanceof AppError, String(error));
          }
        }),
        { numRuns: roundsOr(200) },
      );
    });
  }
});
