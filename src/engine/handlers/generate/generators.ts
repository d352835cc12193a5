import type { GeneratedFile } from '#contract/generate.ts'
import type { Header } from '#contract/models.ts'
import type { PayloadModel } from './model.ts'

export interface Language {
  /** Equal to the name of its file. */
  readonly id: string
  readonly label: string
  types(model: PayloadModel): GeneratedFile
}

/** To add a language, add a file to `languages/`, and its fixed text to `resources/generate/types/`. */
export function defineLanguage(language: Language): Language {
  return language
}

/** Writes a document that describes all events. */
export interface Contract {
  readonly id: 'schema' | 'openapi' | 'asyncapi'
  readonly label: string
  document(model: PayloadModel): GeneratedFile
}

/** To add a format of contracts, add a file to `contracts/`. */
export function defineContract(contract: Contract): Contract {
  return contract
}

/** A delivery for tests. It has no signature, because the test signs it. */
export interface Fixture {
  /** `order-placed-1` */
  readonly name: string
  readonly headers: readonly Header[]
  readonly body: string
}
