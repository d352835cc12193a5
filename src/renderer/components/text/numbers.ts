const grouped = new Intl.NumberFormat('en-US')

/** `12,408` */
export function count(value: number): string {
  return grouped.format(value)
}

/** `12,408 deliveries`, `1 delivery` */
export function counted(value: number, one: string, many: string): string {
  return `${grouped.format(value)} ${value === 1 ? one : many}`
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** `612 B`, `4.1 KiB`, `2 GiB` */
export function byteSize(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  const digits = unit === 0 || value >= 100 || Number.isInteger(value) ? 0 : 1
  return `${value.toFixed(digits)} ${units[unit] ?? ''}`
}
