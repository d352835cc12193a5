import type { Session } from './session.ts'

const slice = 1024 * 1024

export async function storedBody(
  session: Session,
  id: number,
  log: number | null = null,
): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for (let offset = 0; ;) {
    const wanted = { id, log, offset, length: slice }
    const { bytes, size } = await session.call('deliveries.body', wanted)
    pieces.push(bytes)
    offset += bytes.byteLength
    if (bytes.byteLength === 0 || offset >= size) return Buffer.concat(pieces)
  }
}
