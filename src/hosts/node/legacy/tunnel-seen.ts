import { AppError } from '#engine/errors.ts'
import { changeSession } from '../in-session.ts'
import { parse } from '../options.ts'
import { slugOf, tellTunnel } from '../tunnel-told.ts'
import { UsageError } from '../usage-error.ts'

/** `tunnel copied [URL]`: the dashboard has this address from now on; without one, the address of now. Another one later is a warning. */
export async function copied(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, {}, 1)
  return changeSession(values, async (session) => {
    const { url } = (await session.call('app.snapshot', {})).tunnel
    const slug = await slugOf(session)
    const given = positionals[0] ?? (url === null ? null : `${url}/hooks/${slug ?? ''}`)
    if (given === null) {
      throw new AppError('bad_input', 'No tunnel is open. Name the address that the dashboard has.')
    }
    tellTunnel(await session.call('tunnel.copied', { url: given }), slug, values.json)
    return 0
  })
}

const kinds = ['assigned', 'address_changed'] as const

/** `tunnel dismiss [KIND]`: the warning of that kind was seen, or every one that there is. */
export async function dismiss(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, {}, 1)
  const [wanted] = positionals
  const chosen = kinds.filter((kind) => wanted === undefined || kind === wanted)
  if (chosen.length === 0) throw new UsageError(`tunnel dismiss takes ${kinds.join(' or ')}.`)
  return changeSession(values, async (session) => {
    for (const kind of chosen) await session.call('tunnel.dismiss', { kind })
    const { tunnel } = await session.call('app.snapshot', {})
    tellTunnel(tunnel, await slugOf(session), values.json)
    return 0
  })
}
