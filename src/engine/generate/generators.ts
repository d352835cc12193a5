import type { RawBodyCheck } from '#catalogue/raw-body-check.ts'
import type { GeneratedFile } from '#contract/generate.ts'
import type { Header } from '#contract/models.ts'
import type { PayloadModel } from './model.ts'

/** Writes types, or schemas that check payloads, in one language. */
export interface Language {
  /** Equal to the name of its file. */
  readonly id: string
  readonly label: string
  types(model: PayloadModel): GeneratedFile
}

/** To add a language, add a file to `languages/`. */
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

/** Writes a project that receives, verifies and processes deliveries. */
export interface Handler {
  readonly id: string
  readonly label: string
  /** It reads the secret from `WEBHOOK_SECRET`, the previous one from `WEBHOOK_PREVIOUS_SECRET`, and the port from `PORT` (3000). */
  project(model: PayloadModel): GeneratedFile[]
}

/** To add a framework, add its check to `catalogue/raw-body-checks/`, and a file to `handlers/`. */
export function defineHandler({ id, label }: RawBodyCheck, project: Handler['project']): Handler {
  return { id, label, project }
}

/** A delivery for tests. It has no signature, because the test signs it. */
export interface Fixture {
  /** `order-placed-1` */
  readonly name: string
  readonly headers: readonly Header[]
  readonly body: string
}

/** Writes contract tests that send fixtures to a handler. */
export interface TestFramework {
  readonly id: string
  readonly label: string
  /** Where the test finds the fixtures. */
  readonly folder: string
  test(model: Pick<PayloadModel, 'brand' | 'header'>): GeneratedFile
}

/** To add a test framework, add a file to `test-frameworks/`. */
export function defineTestFramework(framework: TestFramework): TestFramework {
  return framework
}
