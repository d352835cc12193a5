import type { RawBodyCheck } from './raw-body-check.ts'

const modules = import.meta.glob<RawBodyCheck>('./raw-body-checks/*.ts', {
  eager: true,
  import: 'default',
})

export const rawBodyChecks: readonly RawBodyCheck[] = Object.values(modules).sort((one, other) =>
  one.label.localeCompare(other.label, 'en'),
)
