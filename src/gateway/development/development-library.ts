import type { Provider, ProviderConfig } from "@nomicfoundation/edr";

type Library = typeof import("@nomicfoundation/edr");

/** The first accounts of the mnemonic `test test ... junk`, which all development chains fund. */
const fundedAccounts = [
  "f39fd6e51aad88f6f4ce6ab8827279cfffb92266",
  "70997970c51812dc3a010c7d01b50e0d17dc79c8",
  "3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
  "90f79bf6eb2c4f870365e785982e1f101e93b906",
  "15d34aaf54267db7d7c367839aaf71a00a2c6a65",
  "9965507d1a55bcc2695c58ba16fb37d819b0a4dc",
  "976ea74026e726554db657fa54763abd0c3a0aa9",
  "14dc79964da2c08b23698b3d3cc7ca32193d9955",
  "23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f",
  "a0ee7a142d267c1f36714e4a8f75612f20a79720",
] as const;

const ether = 10n ** 18n;
const gasLimit = 60_000_000n;
/** 2025-01-01, 00:00 UTC, at every start: the first blocks have the same hashes. */
const genesisTime = 1_735_689_600;

/** Gas of a call that does not say how much it may use; a call cannot ask for more. */
export const callGasMax = 2_000_000n;

/** The library's chain. Errors: `LibraryMissing`. */
export async function openProvider(chainId: number): Promise<Provider> {
  const library = await loadLibrary();
  const context = new library.EdrContext();
  await context.registerProviderFactory(library.L1_CHAIN_TYPE, library.l1ProviderFactory());
  return context.createProvider(
    library.L1_CHAIN_TYPE,
    configOf(library, chainId),
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => undefined },
    { subscriptionCallback: () => undefined },
    new library.ContractDecoder(),
  );
}

async function loadLibrary(): Promise<Library> {
  try {
    return await import("@nomicfoundation/edr");
  } catch (cause) {
    throw new LibraryMissing(cause);
  }
}

/** The library is an optional dependency: some platforms have no build of it. */
export class LibraryMissing extends Error {
  constructor(cause: unknown) {
    super(`@nomicfoundation/edr cannot be loaded on ${process.platform}-${process.arch}`, { cause });
    this.name = "LibraryMissing";
  }
}

function configOf(library: Library, chainId: number): ProviderConfig {
  const accounts = fundedAccounts.map((address) => ({
    address: Buffer.from(address, "hex"),
    balance: 10_000n * ether,
  }));
  // Versions of the library differ in how they name Osaka.
  const hardfork = library.l1HardforkLatest();
  return {
    allowBlocksWithSameTimestamp: false,
    allowUnlimitedContractSize: false,
    bailOnCallFailure: true,
    bailOnTransactionFailure: false,
    chainId: BigInt(chainId),
    networkId: BigInt(chainId),
    coinbase: new Uint8Array(20),
    defaultTransactionGasLimit: callGasMax,
    genesisState: [...library.l1GenesisState(hardfork), ...accounts],
    hardfork: library.l1HardforkToString(hardfork),
    initialBaseFeePerGas: 10n ** 9n,
    minGasPrice: 0n,
    // Blocks are mined at times that can be replayed, never at those of the library's clock.
    mining: { autoMine: false, blockGasLimit: gasLimit, memPool: { order: library.MineOrdering.Fifo } },
    network: { genesisBlockGasLimit: gasLimit, genesisBlockTime: BigInt(genesisTime) },
    observability: {},
    ownedAccounts: [],
    precompileOverrides: [library.precompileP256Verify()],
  };
}
