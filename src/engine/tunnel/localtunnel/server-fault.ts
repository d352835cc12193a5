import type { AxiosError } from 'axios'
import { z } from 'zod'
import { faultOfError } from '../../http/failures.ts'
import { TunnelFailure } from '../provider.ts'
import type { ClientData } from './messages.ts'
import { isLoopback, nameRule } from './names.ts'
import { quotedServerText } from './server-text.ts'

const Refusal = z.object({ message: z.string().min(1) })

/** What a status other than 200 means. */
export function statusFailure(
  status: number,
  data: unknown,
  { host, name, byUser }: Pick<ClientData, 'host' | 'name' | 'byUser'>,
): TunnelFailure {
  if (status < 400 || status >= 500) {
    return new TunnelFailure(
      'server_answer',
      `${host} answered with status ${status} in place of a tunnel.`,
    )
  }
  const { data: refusal } = Refusal.safeParse(data)
  const why = refusal ? `: ${quotedServerText(refusal.message)}` : ''
  const asked = name === null ? '' : ` It was asked for the subdomain "${name}". ${nameRule}`
  // Of the name alone: whatever else it refuses may pass.
  const final = status === 403 && byUser && /subdomain/i.test(why)
  return new TunnelFailure(
    'server_refused',
    `${host} refused to open a tunnel (status ${status})${why}.${asked}`,
    { retry: !final },
  )
}

/** Why the server gave no tunnel, from the error of a request. The client would ask again each second, for ever and in silence. */
export function requestFailure(
  error: AxiosError,
  wish: Pick<ClientData, 'host' | 'name' | 'byUser'>,
  proxied: boolean,
): TunnelFailure {
  if (error.response) return statusFailure(error.response.status, error.response.data, wish)
  if (error.code === 'ERR_FR_TOO_MANY_REDIRECTS') {
    return new TunnelFailure(
      'server_answer',
      `${wish.host} redirects again and again: is this a localtunnel server?`,
    )
  }
  if (error.message.startsWith('maxContentLength')) {
    return new TunnelFailure(
      'server_answer',
      `${wish.host} answered more than a tunnel can be: is this a localtunnel server?`,
    )
  }
  const fault = faultOfError(error, new URL(wish.host), false)
  const proxy = proxied ? ' The environment names a proxy, which has to be reachable as well.' : ''
  switch (fault.code) {
    case 'unresolved':
      return new TunnelFailure(
        'server_unresolved',
        `The tunnel's server cannot be found. ${fault.message} Is this computer connected?${proxy}`,
      )
    case 'malformed':
      return new TunnelFailure('server_answer', fault.message + proxy)
    default:
      return new TunnelFailure(
        'server_down',
        `The tunnel's server is down or cannot be reached. ${fault.message}${proxy}`,
      )
  }
}

/** Whether requests to the server go through a proxy that the environment names. */
export function isProxied(
  host: string,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const url = new URL(host)
  if (isLoopback(url)) return false
  const names = [`${url.protocol.slice(0, -1)}_proxy`, 'all_proxy']
  return names.some((name) => (env[name] ?? env[name.toUpperCase()] ?? '') !== '')
}
