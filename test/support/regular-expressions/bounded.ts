/** An expression that may take superlinear time or a deep stack, and why this is harmless. */
export interface Bounded {
  /** The expression as reported by the test. */
  readonly text: string
  /** Why its input is bounded. */
  readonly why: string
}

const ours = 'Its input is made by us, or by the build.'
const cut = 'Its input is cut before, to some thousand characters at most.'
const configured =
  'Its input is an address or a name that the user has configured, whose length is limited.'
const fixed = 'The group has a fixed length, for which V8 keeps one position only.'

export const bounded: readonly Bounded[] = [
  {
    text: String.raw`/(\.?)([\w$]+)|\[(\d{1,6})\]|\[("(?:[^"\\]|\\.)*")\]/y`,
    why: 'The path of a column has at most 200 characters.',
  },
  {
    text: String.raw`/^((?:\\["nrt]|[\s"'{}()[\]<>+@])*)(.*?)((?:\\["nrt]|[\s"'{}()[\]<>+@])*)$/s`,
    why: cut,
  },
  { text: String.raw`/(?<![a-z0-9])(?=[a-f]*[0-9])[0-9a-f]{8,}(?![a-z0-9])/i`, why: cut },
  { text: String.raw`/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu`, why: cut },
  { text: String.raw`/^\+?[\d\s().-]{5,}$/`, why: cut },
  { text: String.raw`/^\s*$/`, why: cut },
  { text: String.raw`/(?<!\\[nr])(?:\\[nr])+$/`, why: cut },
  { text: String.raw`/^\s*(?:<!doctype\s+html|<html)/i`, why: cut },
  { text: String.raw`/^(?:[^\n]*[,;\t]){3}/`, why: cut },
  { text: String.raw`/^[\p{L}\p{N}][\p{L}\p{N} ,.;:'"()-]*$/u`, why: cut },
  { text: String.raw`/^([a-z]+([_ -][a-z]+)*|[A-Z]+([_ -][A-Z]+)*|\d{1,5})$/`, why: cut },
  { text: String.raw`/[\p{C}\p{Z}]+/gu`, why: cut },
  { text: String.raw`/[A-Za-z0-9_-]{24,}/g`, why: cut },
  { text: String.raw`/^https?:\/\/[^\s/\\?#@\p{C}]+\/?$/iu`, why: configured },
  {
    text: String.raw`/^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/`,
    why: configured,
  },
  {
    text: String.raw`/^[ \t]*(?:#|\/\/) tabscope:each\n([^]*?)^[ \t]*(?:#|\/\/) tabscope:end\n/gm`,
    why: ours,
  },
  { text: String.raw`/(?:-\w, )?--[\w-]+(?: <\S+>)?|[<[]\S+[\]>]/g`, why: ours },
  { text: String.raw`/\.+$/`, why: 'A message of the system, in one sentence.' },
  {
    text: String.raw`/(?:(?:data|body)(?:\.(?:"(?:\\.|[^"\\])*"|[^\s():".]*))+|[a-z]+):/iy`,
    why: 'A filter, whose length is limited.',
  },
  { text: String.raw`/"(?:\\.|[^"\\])*(?:"|\\?$)/sy`, why: 'A filter, whose length is limited.' },
  { text: String.raw`/^[0-9a-f]{2}(?:[-: ][0-9a-f]{2})+$/i`, why: fixed },
  {
    text: String.raw`/\(\d{1,4} (?:hex|HEX|hEx|pairs|bytes|base64|base64url)\)|(?:[0-9a-fA-F]{2}[:\- ]){7,200}[0-9a-fA-F]{2}|[A-Za-z0-9+/_-]{16,}={0,2}|[A-Za-z0-9]+/g`,
    why: fixed,
  },
  {
    text: String.raw`new RegExp(query.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw${'`'}\$&${'`'}), 'giu')`,
    why: 'Every character stands for itself: it repeats nothing.',
  },
  { text: 'new RegExp(head)', why: 'A copy of a literal, which is checked itself.' },
]
