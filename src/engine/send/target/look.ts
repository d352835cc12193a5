import type { Target } from '#contract/sending.ts'
import { notYet } from '../not-yet.ts'
import type { SenderWorld } from '../world.ts'

/** The address as parsed. Throws `bad_target`, with what to do: not http or https, a user name or password in it, no address at all. */
export function parseTarget(_url: string): URL {
  return notYet('Reading an address')
}

/** What is known of a target, its name looked up. */
export async function lookAt(_url: URL, _world: SenderWorld): Promise<Target> {
  return notYet('Looking at a target')
}

/** Throws `target_unconfirmed` for a public one that nobody has confirmed yet; returns the target otherwise. */
export async function assertConfirmed(_url: URL, _world: SenderWorld): Promise<Target> {
  return notYet('Asking about a target')
}
