import { type IpAddress } from "../../net/ip-address.ts";
import { networkOf } from "../../net/ip-range.ts";
import type { CallSite, Implementation } from "./call-site.ts";

export const addressFunctions: Readonly<Record<string, Implementation>> = {
  cidr: (site) => networkAddress(numberAt(site, 1), numberAt(site, 2)),
  cidr6: (site) => networkAddress(32, numberAt(site, 1)),
};

function numberAt({ literals }: CallSite, position: number): number {
  return Number(literals[position]);
}

function networkAddress(bits4: number, bits6: number): ReturnType<Implementation> {
  return (first) => {
    if (first === undefined) return undefined;
    const address = first as IpAddress;
    return networkOf(address, address.version === 4 ? bits4 : bits6).first;
  };
}
