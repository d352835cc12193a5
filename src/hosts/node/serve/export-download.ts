import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from '#engine/app/engine.ts'
import { AppError } from '#engine/platform/errors.ts'
import { securityHeaders } from '../../static-files.ts'

export interface RequestedExport {
  readonly ticket: string
  readonly name: string
}

const address = /^\/exports\/([0-9a-f]{64})\/([^/?#]{1,1000})$/

/** `/exports/<ticket>/<name>` */
export function exportOf(target: string): RequestedExport | null {
  const [, ticket, encoded] = address.exec(target) ?? []
  if (ticket === undefined || encoded === undefined) return null
  try {
    return { ticket, name: decodeURIComponent(encoded) }
  } catch {
    return null
  }
}

/** A ticket serves one request at a time: two would each get a part of the file. */
export function createDownloads(engine: Engine) {
  const active = new Set<string>()
  return {
    /** If the browser disconnects, the export is cancelled. */
    serve: async (
      request: IncomingMessage,
      response: ServerResponse,
      { ticket, name }: RequestedExport,
    ) => {
      if (request.method !== 'GET') return refuse(response, 405, 'Use GET to download an export.')
      if (active.has(ticket))
        return refuse(response, 404, 'This export is already being downloaded.')
      active.add(ticket)
      try {
        await stream(engine, response, { ticket, name })
      } finally {
        active.delete(ticket)
      }
    },
  }
}

async function drained(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle)
      resolve()
    }
    response.on('drain', settle).on('close', settle)
  })
}

async function stream(
  engine: Engine,
  response: ServerResponse,
  { ticket, name }: RequestedExport,
): Promise<void> {
  let disconnected = false
  let id: number | null = null
  const disconnect = (): void => {
    disconnected = true
    if (id !== null) engine.call('logs.cancelExport', { id }).catch(() => undefined)
  }
  response.once('close', disconnect)
  try {
    for (;;) {
      const piece = await engine.call('logs.pull', { ticket })
      if (id === null) {
        id = piece.id
        response.writeHead(200, {
          ...securityHeaders,
          'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
          'Content-Type': 'application/octet-stream',
          'Content-Disposition': contentDisposition(name),
          'Cache-Control': 'no-store',
        })
      }
      if (disconnected) {
        if (!piece.done) disconnect()
        return
      }
      if (piece.bytes.byteLength > 0 && !response.write(piece.bytes)) {
        await drained(response)
      }
      if (piece.done) break
    }
    response.off('close', disconnect)
    response.end()
  } catch (error) {
    response.off('close', disconnect)
    // The file is incomplete: destroy the connection so that the browser reports the failure.
    if (response.headersSent) response.destroy()
    else if (!(error instanceof AppError)) refuse(response, 500, 'The export failed.')
    else refuse(response, error.code === 'file_failed' ? 500 : 404, error.message)
  }
}

/** RFC 6266, as ASCII for old browsers and complete (RFC 8187). Characters with a meaning in a path or a shell are replaced by hyphens. */
export function contentDisposition(name: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are replaced
  const safe = name.toWellFormed().replaceAll(/[\u0000-\u001f\u007f"*/:<>?\\|]/gu, '-')
  const shown = safe.replace(/^\.+/, '') || 'export'
  const ascii = shown.replaceAll(/[^\x20-\x7e]/gu, '-').replaceAll('%', '-')
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtended(shown)}`
}

/** `ext-value` (RFC 8187, 3.2.1): all but `attr-char` as percent-encoded UTF-8. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

export function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...securityHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
  response.end(`${text}\n`)
}
