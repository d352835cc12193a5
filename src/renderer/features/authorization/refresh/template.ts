import type { RefreshTemplate } from '#contract/integrations.ts'
import { defaultRefreshTemplate } from '#contract/integrations.ts'

/** What is filled in when a refresh is sent. */
export const placeholders = ['{{refresh_token}}', '{{access_id}}', '{{access_secret}}'] as const

/** Whether two templates make the same request. */
export function sameTemplate(a: RefreshTemplate, b: RefreshTemplate): boolean {
  return (
    a.method === b.method &&
    a.path === b.path &&
    a.body === b.body &&
    JSON.stringify(a.headers) === JSON.stringify(b.headers)
  )
}

export function isDefault(template: RefreshTemplate): boolean {
  return sameTemplate(template, defaultRefreshTemplate)
}

interface Wrong {
  readonly path: string | null
  readonly body: string | null
}

/** What keeps a template from being saved. */
export function wrongIn({ path, body }: RefreshTemplate): Wrong {
  return {
    path: path === '' ? 'Enter a path under the base URL, such as /api/oauth/token.' : null,
    body: body.trim() === '' ? null : jsonFault(body),
  }
}

/** What is odd in a template that may be saved all the same; null: nothing. */
export function doubtIn({ method, path, headers, body }: RefreshTemplate): string | null {
  const whole = [path, body, ...headers.flat()].join('\n')
  if (!whole.includes('{{refresh_token}}')) {
    return 'The refresh token stands nowhere in this request: {{refresh_token}} would be filled in.'
  }
  const unknown = whole.match(/\{\{[^{}]*\}\}/g)?.find((found) => !isPlaceholder(found))
  if (unknown !== undefined) return `${unknown} is not filled in: it is sent as it stands.`
  if (path.includes('{{access_secret}}') || path.includes('{{refresh_token}}')) {
    return 'A secret in a path or a query is written into the logs of servers on the way.'
  }
  return method === 'GET' && body.trim() !== '' ? 'Many servers ignore the body of a GET.' : null
}

function isPlaceholder(text: string): boolean {
  return placeholders.some((known) => known === text)
}

function jsonFault(body: string): string | null {
  try {
    JSON.parse(body)
    return null
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : 'it does not parse'}.`
  }
}
