import { escapeControls } from '#shared/text/visible.ts'
import { formatElapsed } from '#shared/text/format.ts'
import type { TunnelSetup, TunnelView } from '#contract/tunnel.ts'
import { AppError } from '#engine/platform/errors.ts'
import { action, group, defineCommand } from '../command-line/command.ts'
import { declare } from '../command-line/declaration.ts'
import { globals } from '../command-line/globals.ts'
import { configurationOf, withRunning } from '../session/in-session.ts'
import { confirms, print, printMessage } from '../output/output.ts'
import type { Session } from '../session/session.ts'
import { formatTime, withoutFullStop } from '../output/text.ts'
import { followOpening, reporter, tunnelJson, tunnelLines } from '../session/tunnel-follow.ts'
import { UsageError } from '../command-line/errors.ts'

/** A tunnel closes with its listener. */
const start = 'tabscope listen --tunnel localtunnel'

const status = declare('status', {
  does: 'Show the state of the tunnel',
  examples: [['State, address and warnings', 'tunnel status']],
  access: 'read',
  run: async (session) =>
    (await session.stored?.tunnel()) ?? (await session.call('app.snapshot', {})).tunnel,
  print: printTunnel,
})

const open = defineCommand('open', 'Open a tunnel, and wait until it is online or has failed', [
  ['Open the last used tunnel', 'tunnel open'],
  ['Use localtunnel with a subdomain', 'tunnel open localtunnel:pier9'],
  ['Use cloudflared', 'tunnel open cloudflared'],
])
  .argument('[tunnel]', 'localtunnel[:SUBDOMAIN][@HOST], manual:URL, cloudflared or ngrok[:DOMAIN]')
  .option('-y, --yes', 'Use the public server of the tunnel without confirmation')
  .action(
    action(async (tunnel, { yes = false }) => {
      const { serverNotice, tunnelSetupOf } = await import('../command-line/tunnel-option.ts')
      const setup = tunnelSetupOf(tunnel)
      if (setup === 'none') throw new UsageError('To close the tunnel: tabscope tunnel close')
      return withRunning(start, async (session) => {
        const report = reporter(await slugOf(session), globals.json)
        const notice = setup && serverNotice(setup)
        if (notice) printMessage(notice)
        const view = await followOpening(session, () => openConfirmed(session, setup, yes), report)
        return view.state === 'online' ? 0 : 1
      })
    }),
  )

const close = declare('close', {
  does: 'Close the tunnel, and keep it closed at the next start',
  examples: [['Close the tunnel', 'tunnel close']],
  call: 'tunnel.close',
  print: printTunnel,
})

const check = declare('check', {
  does: 'Check that webhooks pass through the tunnel; exit code 1 if not',
  examples: [['Check now', 'tunnel check']],
  call: 'tunnel.check',
  start,
  print: async (view, input, session) => {
    await printTunnel(view, input, session)
    const { probe } = view
    if (!globals.json && probe) {
      const result = probe.ok ? 'passed' : escapeControls(withoutFullStop(probe.reason ?? 'failed'))
      printMessage(`Check: ${result}, ${Math.round(probe.durationMs)} ms`)
    }
    return view.state === 'online' ? 0 : 1
  },
})

const copied = declare('copied', {
  does: 'Record the URL that is set on the dashboard',
  examples: [
    ['The current URL of the default endpoint', 'tunnel copied'],
    ['Another URL', 'tunnel copied https://pier9.example/hooks/main'],
  ],
  call: 'tunnel.copied',
  usage: '[url]',
  descriptions: { url: 'URL on the dashboard (default: the URL of the default endpoint)' },
  run: async (session, { url: given }: { url?: string }) => {
    const { url: origin } = (await session.call('app.snapshot', {})).tunnel
    const url = given ?? (origin && `${origin}/hooks/${(await slugOf(session)) ?? ''}`)
    if (url === null) {
      throw new AppError(
        'bad_input',
        'No tunnel is open. Specify the URL that is set on the dashboard.',
      )
    }
    return session.call('tunnel.copied', { url })
  },
  print: printTunnel,
})

export const command = group('tunnel', 'Make the listener reachable from the internet', [
  status,
  open,
  close,
  check,
  copied,
])

/** Naming a provider counts as consent to its server; the stored setup must be confirmed once. Throws like `tunnel.open`. */
async function openConfirmed(
  session: Session,
  setup: TunnelSetup | undefined,
  yes: boolean,
): Promise<TunnelView> {
  if (setup) return session.call('tunnel.open', { setup, acceptServer: true })
  try {
    return await session.call('tunnel.open', { acceptServer: yes })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'server_unconfirmed') throw error
    if (globals.json || !(await confirms(`${error.message} Open the tunnel?`))) {
      throw new AppError('server_unconfirmed', `${error.message} Run: tabscope tunnel open --yes`, {
        cause: error,
      })
    }
    return session.call('tunnel.open', { acceptServer: true })
  }
}

async function slugOf(session: Session): Promise<string | null> {
  return (await configurationOf(session)).endpoints[0]?.slug ?? null
}

async function printTunnel(view: TunnelView, _: unknown, session: Session): Promise<void> {
  const slug = await slugOf(session)
  print('tunnel', tunnelJson(view, slug), () =>
    [...tunnelLines(view, slug), ...(view.state === 'off' ? [] : [sinceText(view.since)])].join(
      '\n',
    ),
  )
}

function sinceText(since: number): string {
  return `  Since ${formatTime(since)} (${formatElapsed(Math.max(0, Date.now() - since))})`
}
