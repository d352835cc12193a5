import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'

/** The arguments as Latin-1 text with one character per byte. Node reads them as UTF-8. */
export function rawArguments(): string[] {
  const own = '/proc/self/cmdline'
  const all = existsSync(own)
    ? readFileSync(own, 'latin1').split('\0').slice(0, -1)
    : process.argv.map((argument) => Buffer.from(argument).toString('latin1'))
  return all.slice(all.findIndex((argument) => argument.endsWith('.ts')) + 1)
}

/** Sends a request unchanged, with all text as Latin-1, and waits for the start of a response. */
export async function sendRaw(
  method: string,
  address: string,
  headers: readonly string[],
  body: Buffer | null,
): Promise<void> {
  const [, host = '', port = '80', target = ''] =
    /^http:\/\/([^/:]+)(?::([0-9]+))?(\/.*)?$/.exec(address) ?? []
  const says = (name: string): boolean => headers.some((header) => named(header, name))
  const lines = [
    `${method} ${target === '' ? '/' : target} HTTP/1.1`,
    `Host: ${host}:${port}`,
    ...headers,
    ...(body && !says('content-length') ? [`Content-Length: ${body.byteLength}`] : []),
  ]
  const socket = connect(Number(port), host)
  socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'))
  if (body) socket.write(body)
  await new Promise((resolve, reject) => socket.once('data', resolve).once('error', reject))
  socket.destroy()
}

export function named(header: string, lowerName: string): boolean {
  return header.toLowerCase().startsWith(`${lowerName}:`)
}
