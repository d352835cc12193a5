interface Naming {
  readonly extension: string
  readonly gzip: boolean
  readonly redacted: boolean
}

/** `tabscope-2026-11-21-1430.ndjson`, in the zone of this machine; a file with everything in it says so by its name as well. */
export function fileName(at: Date, { extension, gzip, redacted }: Naming): string {
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  const mark = redacted ? '' : '-not-redacted'
  const end = gzip ? `${extension}.gz` : extension
  return `tabscope-${day}-${two(at.getHours())}${two(at.getMinutes())}${mark}.${end}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
