/** The bytes that hex digits stand for; null: it is something else. */
export function hexBytes(text: string): Buffer | null {
  return text.length % 2 === 0 && /^[0-9a-f]+$/i.test(text) ? Buffer.from(text, 'hex') : null
}

/** The bytes that base64 or base64url stands for, padded or not (RFC 4648, 4 and 5); null: it is something else. */
export function base64Bytes(text: string): Buffer | null {
  return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null
}

/** With percent escapes undone (RFC 3986, 2.1), and as a form reads them; what does not change is left out. */
export function decodedPercent(text: string): string[] {
  const forms = [text, text.replaceAll('+', ' ')].flatMap((form) => {
    try {
      return [decodeURIComponent(form)]
    } catch {
      return []
    }
  })
  return [...new Set(forms)].filter((form) => form !== text)
}

export function encodedPercent(text: string): string[] {
  const forms = [
    encodeURIComponent(text.toWellFormed()),
    encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+'),
  ]
  return [...new Set(forms)].filter((form) => form !== text)
}
