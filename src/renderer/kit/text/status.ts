export type StatusTone = 'valid' | 'info' | 'warning' | 'invalid'

const words: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  206: 'Partial Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** The reason phrase of a status (RFC 9110, section 15), or its class if it has none. */
export function statusWord(status: number): string {
  const word = words[status]
  if (word !== undefined) return word
  if (status >= 500) return 'Server Error'
  if (status >= 400) return 'Client Error'
  if (status >= 300) return 'Redirection'
  if (status >= 200) return 'Success'
  return 'Informational'
}

export function statusTone(status: number): StatusTone {
  if (status >= 400) return 'invalid'
  if (status >= 300) return 'warning'
  return status >= 200 ? 'valid' : 'info'
}
