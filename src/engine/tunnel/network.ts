import { networkInterfaces } from 'node:os'

/** The addresses of this machine, as one text: another one when it has joined another network. */
export function networkNow(): string {
  return Object.entries(networkInterfaces())
    .flatMap(([name, addresses]) =>
      (addresses ?? [])
        .filter(({ internal }) => !internal)
        .map(({ address }) => `${name} ${address}`),
    )
    .toSorted()
    .join('\n')
}
