import type { CallOutput, ParsedInput } from '#contract/calls.ts'
import type { TunnelView } from '#contract/tunnel.ts'
import type { Context } from '../context.ts'

export async function open(
  { tunnel }: Context,
  { wish, temporary, acceptServer }: ParsedInput<'tunnel.open'>,
): Promise<TunnelView> {
  return tunnel.open(wish ?? null, temporary, acceptServer)
}

export function close({ tunnel }: Context): Promise<TunnelView> {
  return tunnel.close()
}

export function check({ tunnel }: Context): Promise<TunnelView> {
  return tunnel.check()
}

export function configure(
  { tunnel }: Context,
  { setup }: ParsedInput<'tunnel.configure'>,
): Promise<TunnelView> {
  return tunnel.configure(setup)
}

export function providers({ tunnel }: Context): Promise<CallOutput<'tunnel.providers'>> {
  return tunnel.providers()
}

export function copied(
  { tunnel }: Context,
  { url }: ParsedInput<'tunnel.copied'>,
): Promise<TunnelView> {
  return tunnel.copied(url)
}

export function dismiss(
  { tunnel }: Context,
  { kind }: ParsedInput<'tunnel.dismiss'>,
): Promise<TunnelView> {
  return tunnel.dismiss(kind)
}

export async function probeSizes({ tunnel }: Context): Promise<TunnelView> {
  return tunnel.probeSizes()
}

export async function stopSizes({ tunnel }: Context): Promise<TunnelView> {
  return tunnel.stopSizes()
}

export function history(
  { tunnel }: Context,
  { since, limit }: ParsedInput<'tunnel.history'>,
): Promise<CallOutput<'tunnel.history'>> {
  return tunnel.history(since, limit)
}
