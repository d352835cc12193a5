import { badOption, tidyOptions } from '../options.ts'
import { cloudflared } from '../program/cloudflared.ts'
import { detectProgram } from '../program/find.ts'
import { openProgram } from '../program/open.ts'
import type { TunnelProvider } from '../provider.ts'

const check = (options: Readonly<Record<string, string>>) => tidyOptions('cloudflared', [], options)

const provider: TunnelProvider = {
  id: 'cloudflared',
  label: 'cloudflared',
  about: 'A Cloudflare quick tunnel, opened with the program cloudflared. No account is needed.',
  fields: [],
  notes: [
    'The URL changes each time: update it on the dashboard after each start.',
    'Quick tunnels have no uptime guarantee, and Cloudflare limits their number and concurrent requests.',
    "The program's own configuration file is not used: its rules would respond instead of the listener.",
    'A new URL may take a few seconds to resolve everywhere.',
  ],
  target: 'tunnel-listener',
  parse(rest) {
    if (rest !== '' && rest !== ':') {
      throw badOption('cloudflared', 'cloudflared accepts no options. Use --tunnel cloudflared.')
    }
    return check({})
  },
  check,
  detect: (dependencies) => detectProgram(cloudflared, dependencies),
  async open(request, dependencies, events, signal) {
    const opened = await openProgram(
      cloudflared,
      { ...request, options: check(request.options) },
      dependencies,
      events,
      signal,
    )
    return { ...opened, requestedName: null, nextName: null }
  },
}
export default provider
