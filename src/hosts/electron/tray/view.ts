import type { Unseen } from '../watch.ts'
import type { EngineState } from '../engine-mirror.ts'
import { safeText } from '../safe-text.ts'

/** Each state has its own icon. `attention`: a delivery failed since the user last looked. */
export type TrayIcon = 'idle' | 'listening' | 'online' | 'attention'

export type TrayAction =
  | 'show'
  | 'copy'
  | 'open-tunnel'
  | 'close-tunnel'
  | 'listen'
  | 'background'
  | 'quit'

/** Null: a separator. */
export type TrayItem = {
  readonly label: string
  /** Null: a status. */
  readonly action: TrayAction | null
  readonly enabled: boolean
  /** Undefined: not a checkbox. */
  readonly checked?: boolean
} | null

/** `lastKnown`: null until the engine has first opened. While it is not live, only the settings in it still apply. */
export function trayView(lastKnown: EngineState | null, isLive: boolean, unseen: Unseen) {
  const state = isLive ? lastKnown : null
  const listener = lastKnown === null ? 'Starting' : describeListener(state)
  const tunnel = describeTunnel(state)
  const unseenText = describeUnseen(unseen)
  const items: TrayItem[] = [
    ...[listener, tunnel, unseenText]
      .filter((fact) => fact !== null)
      .map((label) => ({ label, action: null, enabled: false })),
    null,
    item('Show Tabscope', 'show'),
    item('Copy webhook URL', 'copy', copyUrl(state) !== null),
    ...(state === null || state.listener.state === 'listening'
      ? []
      : [item('Start listener', 'listen', state.listener.state !== 'starting')]),
    state === null || state.tunnel.state === 'off'
      ? item('Open tunnel', 'open-tunnel', state?.listener.state === 'listening')
      : item('Close tunnel', 'close-tunnel'),
    null,
    {
      ...item('Keep capturing in the background', 'background', state !== null),
      checked: lastKnown?.settings.background === true,
    },
    null,
    item('Quit Tabscope', 'quit'),
  ]
  return {
    icon: iconFor(state, unseen.count),
    // Windows cuts a long tooltip, so the longest part is last.
    tooltip: ['Tabscope', listener, unseenText, tunnel].filter((fact) => fact !== null).join('\n'),
    items,
  }
}

/** Of the first endpoint: public while a tunnel is open, else local. */
export function copyUrl(state: EngineState | null): { url: string; isPublic: boolean } | null {
  const [endpoint] = state?.endpoints ?? []
  if (state === null || endpoint === undefined) return null
  const { tunnel, listener } = state
  if (tunnel.url !== null) return { url: `${tunnel.url}/hooks/${endpoint.slug}`, isPublic: true }
  if (listener.state !== 'listening') return null
  return { url: `${listener.origin}/hooks/${endpoint.slug}`, isPublic: false }
}

function item(label: string, action: TrayAction, enabled = true) {
  return { label, action, enabled }
}

function iconFor(state: EngineState | null, unseen: number): TrayIcon {
  if (unseen > 0) return 'attention'
  if (state?.listener.state !== 'listening') return 'idle'
  return state.tunnel.state === 'online' ? 'online' : 'listening'
}

function describeListener(state: EngineState | null): string {
  if (state === null) return 'Not listening'
  const { listener } = state
  switch (listener.state) {
    case 'listening':
      return listener.failing === null
        ? `Listening on ${listener.origin}`
        : `Listening on ${listener.origin}, storage is failing`
    case 'starting':
      return 'Listener starting'
    case 'failed':
      return `Not listening: port ${listener.port} could not be opened`
    case 'stopped':
      return 'Not listening'
  }
}

function describeTunnel(state: EngineState | null): string | null {
  if (state === null) return null
  const { state: tunnelState, url } = state.tunnel
  const isLost = state.tunnelWasUp
  const host = safeText((url === null ? null : URL.parse(url)?.host) ?? '')
  const at = host === '' ? '' : `: ${host}`
  switch (tunnelState) {
    case 'off':
      return null
    case 'opening':
      return 'Tunnel opening'
    case 'online':
      return `Tunnel online${at}`
    case 'degraded':
      return `Tunnel degraded${at}`
    case 'offline':
      return isLost ? 'Tunnel lost' : 'The tunnel could not be opened'
    case 'reconnecting':
      return isLost ? 'Tunnel lost, reconnecting' : 'Tunnel opening'
  }
}

function describeUnseen({ count, isAll }: Unseen): string | null {
  if (count === 0) return null
  const countText = isAll ? String(count) : `At least ${count}`
  return count === 1 && isAll
    ? '1 failed verdict since you last looked'
    : `${countText} failed verdicts since you last looked`
}

/** Relative to the app's folder. macOS colors a template image itself, for light and dark menu bars. */
export function iconFile(icon: TrayIcon, platform: NodeJS.Platform): string {
  switch (platform) {
    case 'darwin':
      return `resources/tray/mac/${icon}Template.png`
    case 'win32':
      return `resources/tray/windows/${icon}.ico`
    default:
      return `resources/tray/linux/${icon}.png`
  }
}
