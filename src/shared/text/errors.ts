export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** By code of the system. They fit after the name of a file or folder. */
const systemReasons: Readonly<Record<string, string>> = {
  ENOENT: 'It does not exist. Check the path.',
  ENOTDIR: 'A part of its path is a file, not a folder. Check the path.',
  EISDIR: 'It is a folder. Specify a file.',
  EACCES: 'Permission was denied. Check its permissions.',
  EPERM: 'Permission was denied. Check its permissions.',
  EROFS: 'Its disk is read-only. Choose another folder.',
  ENOSPC: 'The disk is full. Free up space on it.',
  EDQUOT: 'The disk is full. Free up space on it.',
  EFBIG: 'The file is too large for its disk. Choose another folder.',
  EMFILE: 'Too many files are open. Close other programs, or raise the limit on open files.',
  ENFILE: 'Too many files are open. Close other programs, or raise the limit on open files.',
  ENOMEM: 'Too little memory is free. Close other programs.',
  ENAMETOOLONG: 'The name is too long. Choose a shorter one.',
  ELOOP: 'Its path has a loop of links. Check the links.',
  EBUSY: 'Another program uses it. Close that program.',
  ETXTBSY: 'Another program uses it. Close that program.',
  EEXIST: 'It already exists. Choose another name.',
  EIO: 'The disk reported an error. Check that it is connected and works.',
}

/** Says what is wrong and what to do, with the code if it is not a common one. */
export function systemReason(error: unknown): string {
  return systemCodeReason(systemCodeOf(error))
}

export function systemCodeReason(code: string): string {
  if (code === '') return 'The reason is unknown.'
  return systemReasons[code] ?? `The system reported ${code}.`
}

/** Where a text is not JSON, such as ` (line 2 column 5)`; empty if that is unknown. The rest of the message quotes the text. */
export function jsonPosition(error: unknown): string {
  const found = / \(line \d{1,9} column \d{1,9}\)/.exec(messageOf(error))
  return found === null ? '' : found[0]
}

/** Of the system, SQLite, TLS or Node, such as `ENOENT`; empty for other errors. */
export function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}
