export { StoredField } from './StoredField.tsx'
export { allSettings } from './registry.ts'
