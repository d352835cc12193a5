import type { CallName, CallOutput, ParsedInput } from '#contract/calls.ts'

type Route<Ports, N extends CallName> = (
  ports: Ports,
  input: ParsedInput<N>,
) => CallOutput<N> | Promise<CallOutput<N>>

type BoundRoutes<N extends CallName> = {
  readonly [K in N]: (input: ParsedInput<K>) => Promise<CallOutput<K>>
}

/**
 * Declares the calls of a domain, with input and output types from the contract. Returns a function that binds the calls to what the domain needs:
 * `routes<TokenPorts>()({ 'tokens.label': ({ tokens }, { id, label }) => tokens.label(id, label) })`.
 */
export function routes<Ports>() {
  return <N extends CallName>(table: { readonly [K in N]: Route<Ports, K> }) =>
    (ports: Ports): BoundRoutes<N> => {
      const bound = Object.entries<Route<Ports, N>>(table).map(([name, route]) => [
        name,
        async (input: ParsedInput<N>) => route(ports, input),
      ])
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same names; TypeScript cannot follow them through Object.fromEntries
      return Object.fromEntries(bound) as BoundRoutes<N>
    }
}
