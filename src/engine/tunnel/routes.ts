import type { CallOutput, ParsedInput, Handlers } from '#contract/calls.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import type { Tunnel } from './tunnel.ts'

/** The dependencies of the tunnel calls. */
export interface TunnelPorts {
  readonly tunnel: Tunnel
}

/** The tunnel calls, by name. */
export function tunnelRoutes(ports: TunnelPorts) {
  return {
    'tunnel.open': (input: ParsedInput<'tunnel.open'>) => open(ports, input),
    'tunnel.close': () => close(ports),
    'tunnel.check': () => check(ports),
    'tunnel.configure': (input: ParsedInput<'tunnel.configure'>) => configure(ports, input),
    'tunnel.providers': () => providers(ports),
    'tunnel.copied': (input: ParsedInput<'tunnel.copied'>) => copied(ports, input),
    'tunnel.dismiss': (input: ParsedInput<'tunnel.dismiss'>) => dismiss(ports, input),
    'tunnel.probeSizes': () => probeSizes(ports),
    'tunnel.stopSizes': () => stopSizes(ports),
    'tunnel.history': (input: ParsedInput<'tunnel.history'>) => history(ports, input),
  } satisfies Partial<Handlers>
}

async function open(
  { tunnel }: TunnelPorts,
  { wish, temporary, acceptServer }: ParsedInput<'tunnel.open'>,
): Promise<TunnelView> {
  return tunnel.open(wish ?? null, temporary, acceptServer)
}

function close({ tunnel }: TunnelPorts): Promise<TunnelView> {
  return tunnel.close()
}

function check({ tunnel }: TunnelPorts): Promise<TunnelView> {
  return tunnel.check()
}

function configure(
  { tunnel }: TunnelPorts,
  { setup }: ParsedInput<'tunnel.configure'>,
): Promise<TunnelView> {
  return tunnel.configure(setup)
}

function providers({ tunnel }: TunnelPorts): Promise<CallOutput<'tunnel.providers'>> {
  return tunnel.providers()
}

function copied(
  { tunnel }: TunnelPorts,
  { url }: ParsedInput<'tunnel.copied'>,
): Promise<TunnelView> {
  return tunnel.copied(url)
}

function dismiss(
  { tunnel }: TunnelPorts,
  { kind }: ParsedInput<'tunnel.dismiss'>,
): Promise<TunnelView> {
  return tunnel.dismiss(kind)
}

async function probeSizes({ tunnel }: TunnelPorts): Promise<TunnelView> {
  return tunnel.probeSizes()
}

async function stopSizes({ tunnel }: TunnelPorts): Promise<TunnelView> {
  return tunnel.stopSizes()
}

function history(
  { tunnel }: TunnelPorts,
  { since, limit }: ParsedInput<'tunnel.history'>,
): Promise<CallOutput<'tunnel.history'>> {
  return tunnel.history(since, limit)
}
