import { openService, type Service, type ServiceOptions } from '#sandbox/service/service.ts'
import { fakeClock, type FakeClock } from '#test/support/fake-clock.ts'

/** The default redirect URL of tests. It is not served. */
export const redirectUrl = 'https://client.invalid/callback'
export const accessSecret = 'canary access secret'

/** The service on its own port with a stopped clock, and helpers for the actions of clients. */
export interface Opened extends AsyncDisposable {
  readonly service: Service
  readonly clock: FakeClock
  /** Sends a GET request, without following redirects. */
  get(path: string, headers?: Record<string, string>): Promise<Response>
  submit(
    path: string,
    fields: Record<string, string> | [string, string][],
    headers?: Record<string, string>,
  ): Promise<Response>
  /** The query of a valid authorization request; null omits a parameter. */
  query(change?: Record<string, string | null>): string
  /** The URL that the browser is redirected to after the user's decision. */
  decide(
    options?: { user?: string; decision?: string },
    change?: Record<string, string | null>,
  ): Promise<URL>
  approved(): Promise<Response>
  token(fields: object): Promise<Response>
  exchange(code: string): Promise<Response>
  refresh(refreshToken: string): Promise<Response>
  connect(user?: string): Promise<Record<string, unknown>>
  locations(token: unknown): Promise<Response>
}

export async function open(options: ServiceOptions = {}): Promise<Opened> {
  const clock = fakeClock()
  const service = await openService({
    clock,
    accessId: 'acc-1',
    accessSecret,
    redirectUrls: [redirectUrl],
    ...options,
  })
  const { baseUrl } = service.state()

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(baseUrl + path, { redirect: 'manual', headers })
  const submit: Opened['submit'] = (path, fields, headers = {}) =>
    fetch(baseUrl + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: baseUrl, ...headers },
      body: new URLSearchParams(fields),
    })
  const query: Opened['query'] = (change = {}) => {
    const all = { response_type: 'code', access_id: 'acc-1', redirect_url: redirectUrl, ...change }
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(all)) if (value !== null) parameters.set(name, value)
    return `/manager/oauth?${parameters}`
  }
  const answered = async (
    { user = 'mara', decision = 'approve' }: { user?: string; decision?: string },
    change: Record<string, string | null>,
  ) => {
    const page = await (await get(query({ state: 'state-1', ...change }))).text()
    return await submit('/manager/oauth', { ticket: ticketIn(page), user, decision })
  }
  const decide: Opened['decide'] = async (options = {}, change = {}) => {
    const answer = await answered(options, change)
    return new URL(answer.headers.get('location') ?? 'missing:')
  }
  const token: Opened['token'] = (fields) =>
    fetch(`${baseUrl}/api/oauth/token`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    })
  const client = { api_access_id: 'acc-1', api_access_secret: accessSecret }
  const exchange = (code: string) => token({ grant_type: 'authorization_code', ...client, code })
  const connect: Opened['connect'] = async (user = 'mara') => {
    const code = (await decide({ user })).searchParams.get('code') ?? ''
    return objectOf(await exchange(code))
  }
  return {
    service,
    clock,
    get,
    submit,
    query,
    decide,
    approved: () => answered({}, {}),
    token,
    exchange,
    refresh: (refreshToken) =>
      token({ grant_type: 'refresh_token', ...client, refresh_token: refreshToken }),
    connect,
    locations: (bearer) =>
      get('/api/sandbox/locations', { Authorization: `Bearer ${String(bearer)}` }),
    [Symbol.asyncDispose]: () => service.close(),
  }
}

export function ticketIn(page: string): string {
  return /name="ticket" value="([^"]+)"/.exec(page)?.[1] ?? ''
}

export async function objectOf(answer: Response): Promise<Record<string, unknown>> {
  const value: unknown = await answer.json()
  if (typeof value !== 'object' || value === null) throw new Error('not an object')
  return Object.fromEntries(Object.entries(value))
}
