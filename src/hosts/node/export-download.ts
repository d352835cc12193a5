import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from '#engine/engine.ts'
import { AppError } from '#engine/errors.ts'
import { securityHeaders } from './assets.ts'
import { refuse } from './refuse.ts'

export interface WantedExport {
  readonly ticket: string
  /** As the file is to be called. */
  readonly name: string
}

const address = /^\/exports\/([0-9a-f]{64})\/([^/?#]{1,1000})$/

/** What `/exports/<ticket>/<name>` asks for; null: it is another address. */
export function exportOf(target: string): WantedExport | null {
  const [, ticket, encoded] = address.exec(target) ?? []
  if (ticket === undefined || encoded === undefined) return null
  try {
    return { ticket, name: decodeURIComponent(encoded) }
  } catch {
    return null
  }
}

export interface Downloads {
  /** Streams the export to the browser as a file. A browser that leaves cancels it. */
  serve(request: IncomingMessage, response: ServerResponse, wanted: WantedExport): Promise<void>
}

/** Exports on their way to a browser. A ticket has one taker: a second one would tear the file in two. */
export function createDownloads(engine: Engine): Downloads {
  const taken = new Set<string>()
  return {
    serve: async (request, response, { ticket, name }) => {
      if (request.method !== 'GET') return refuse(response, 405, 'An export is only fetched.')
      if (taken.has(ticket)) return refuse(response, 404, 'This export is being fetched already.')
      taken.add(ticket)
      try {
        await stream(engine, response, { ticket, name })
      } finally {
        taken.delete(ticket)
      }
    },
  }
}

/** Resolves when more may be written, or nobody reads any more. */
async function drained(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const goOn = (): void => {
      response.off('drain', goOn).off('close', goOn)
      resolve()
    }
    response.on('drain', goOn).on('close', goOn)
  })
}

async function stream(
  engine: Engine,
  response: ServerResponse,
  { ticket, name }: WantedExport,
): Promise<void> {
  let left = false
  let id: number | null = null
  const leave = (): void => {
    left = true
    if (id !== null) engine.call('logs.cancelExport', { id }).catch(() => undefined)
  }
  response.once('close', leave)
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
      if (left) {
        if (!piece.done) leave()
        return
      }
      if (piece.bytes.byteLength > 0 && !response.write(piece.bytes)) {
        await drained(response)
      }
      if (piece.done) break
    }
    response.off('close', leave)
    response.end()
  } catch (error) {
    response.off('close', leave)
    // The end is missing, and the browser must see that: nothing was ended in good order.
    if (response.headersSent) response.destroy()
    else if (!(error instanceof AppError)) refuse(response, 500, 'The export failed.')
    else refuse(response, error.code === 'file_failed' ? 500 : 404, error.message)
  }
}

/**
 * Has a browser save what comes, under this name (RFC 6266): for those that read no other, in ASCII, and as it is (RFC 8187). What a folder
 * or a shell would take for more than a name becomes a hyphen.
 */
export function contentDisposition(name: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what must not be in it
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
