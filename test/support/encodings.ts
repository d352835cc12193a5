import { isUtf8 } from 'node:buffer'
import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'

/** Returns all texts in bytes: unchanged, and with all supported encodings decoded recursively. */
export function decodedTexts(bytes: Uint8Array): string[] {
  const seen = new Set<string>()
  const texts: string[] = []
  const runs = new Set<string>()
  const look = (text: string, depth: number): void => {
    if (text.length < 6 || seen.has(text)) return
    seen.add(text)
    texts.push(text)
    if (depth > 5) return
    look(unescaped(text), depth + 1)
    if (text.includes('\0')) look(text.replaceAll('\0', ''), depth + 1)
    for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{16,}={0,2}/g)) {
      if (runs.has(run)) continue
      runs.add(run)
      for (const read of readings(Buffer.from(run, 'base64'))) look(read, depth + 1)
      if (/^[0-9a-fA-F]+$/.test(run)) look(Buffer.from(run, 'hex').toString('latin1'), depth + 1)
    }
  }
  for (const read of readings(Buffer.from(bytes))) look(read, 0)
  return texts
}

const asFarAsItGoes = { finishFlush: constants.Z_SYNC_FLUSH }

const unpackers: readonly ((bytes: Buffer) => Buffer)[] = [
  (bytes) => gunzipSync(bytes, asFarAsItGoes),
  (bytes) => inflateSync(bytes, asFarAsItGoes),
  (bytes) => inflateRawSync(bytes, asFarAsItGoes),
  (bytes) => brotliDecompressSync(bytes),
]

function readings(bytes: Buffer): string[] {
  const plain = bytes.toString('utf8')
  const texts = [plain.includes('\uFFFD') ? bytes.toString('latin1') : plain]
  for (const unpack of unpackers) {
    try {
      const unpacked = unpack(bytes)
      // Decoding of unrelated bytes gives noise.
      if (unpacked.byteLength > 8 && isUtf8(unpacked)) texts.push(...readings(unpacked))
    } catch {
      // Not compressed with this method.
    }
  }
  return texts
}

function unescaped(text: string): string {
  return text
    .replaceAll(/\\(?:u([0-9a-fA-F]{4})|(["\\/']))/g, (_all, hex?: string, plain?: string) =>
      hex === undefined ? (plain ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
    )
    .replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (all) =>
      Buffer.from(all.replaceAll('%', ''), 'hex').toString('utf8'),
    )
    .replaceAll(/&#(\d{1,6});/g, (_all, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

export function encodingsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const base64 = [0, 1, 2].map((lead) => {
    const whole = Buffer.concat([Buffer.alloc(lead), bytes])
    const text = whole.toString('base64').replaceAll('=', '')
    return text.slice(lead === 0 ? 0 : lead + 1, whole.byteLength % 3 === 0 ? undefined : -1)
  })
  const json = JSON.stringify(value).slice(1, -1)
  const digits = value.startsWith('+') ? [value.replaceAll(/\D/g, '')] : []
  return [
    ...new Set([
      value,
      ...digits,
      json,
      JSON.stringify(json).slice(1, -1),
      encodeURIComponent(value),
      new URLSearchParams({ v: value }).toString().slice(2),
      ...base64,
      ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
    ]),
  ]
}
