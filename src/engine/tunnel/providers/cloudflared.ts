import { badOption, tidyOptions } from '../options.ts'
import { cloudflared } from '../program/cloudflared.ts'
import { lookForProgram } from '../program/find.ts'
import { openProgram } from '../program/open.ts'
import type { TunnelProvider } from '../provider.ts'

const check = (options: Readonly<Record<string, string>>) => tidyOptions('cloudflared', [], options)

const provider: TunnelProvider = {
  id: 'cloudflared',
  label: 'cloudflared',
  about: "A quick tunnel of Cloudflare's, by its program cloudflared. No account is needed.",
  fields: [],
  notes: [
    'The URL changes each time: update it on the dashboard after each start.',
    'Quick tunnels have no uptime guarantee, and Cloudflare limits their number and concurrent requests.',
    "The program's own configuration file is not used: its rules would respond instead of the listener.",
    'A new address may take some seconds until it is known everywhere.',
  ],
  leadsTo: 'door',
  parse(rest) {
    if (rest !== '' && rest !== ':') {
      throw badOption('cloudflared', 'cloudflared takes nothing behind its name. Leave it out.')
    }
    return check({})
  },
  check,
  look: (world) => lookForProgram(cloudflared, world),
  async open(wish, world, signs, signal) {
    const opened = await openProgram(
      cloudflared,
      { ...wish, options: check(wish.options) },
      world,
      signs,
      signal,
    )
    return { ...opened, asked: null, again: null }
  },
}
export default provider
