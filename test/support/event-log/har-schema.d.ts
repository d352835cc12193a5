/** The package has no types: JSON schemas by name. */
declare module 'har-schema' {
  const schemas: Readonly<Record<string, object>>
  export default schemas
}
