export { StoredField } from './StoredField.tsx'
export { allSettings } from './registry.ts'
export { anyNumber, wholeNumber } from './../../platform/field-checks.ts'
