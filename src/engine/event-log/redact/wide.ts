/** The first digit of scripts in which numbers are written as well. Full-width forms are another matter: there are letters and signs, too. */
const zeros = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66,
  0x0e50,
]

/** Stands for an ASCII character: a full-width form, or a digit of another script. */
export function isWide(code: number): boolean {
  if (code >= 0xff01) return code <= 0xff5e
  if (code === 0x3000) return true
  return code >= 0x0660 && code <= 0x0e59 && zeros.some((zero) => code >= zero && code <= zero + 9)
}

/** The same text with such characters in ASCII, each in its place. */
export function foldWide(text: string): string {
  return text.replaceAll(/[\u0660-\u0e59\u3000\uff01-\uff5e]/g, (character) => {
    const code = character.charCodeAt(0)
    if (code === 0x3000) return ' '
    if (code >= 0xff01) return String.fromCharCode(code - 0xfee0)
    const zero = zeros.find((one) => code >= one && code <= one + 9)
    return zero === undefined ? character : String(code - zero)
  })
}
