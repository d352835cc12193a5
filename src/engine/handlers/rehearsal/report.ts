import { fixOfCase } from '#catalogue/rehearsal/fixes.ts'
import { withoutQuery } from '#shared/text/address.ts'
import type { CaseResult, Rehearsal } from '#contract/rehearsal.ts'

/** As reports show it, without the queries of its URLs. The texts of a run never contain them. */
export function reported(rehearsal: Rehearsal): Rehearsal {
  const { url, oauth } = rehearsal.options
  return {
    ...rehearsal,
    options: {
      ...rehearsal.options,
      url: withoutQuery(url),
      ...(oauth && {
        oauth: {
          ...oauth,
          startUrl: oauth.startUrl && withoutQuery(oauth.startUrl),
          callUrl: oauth.callUrl && withoutQuery(oauth.callUrl),
          redirectUrl: oauth.redirectUrl && withoutQuery(oauth.redirectUrl),
        },
      }),
    },
  }
}

export interface ReportInput {
  readonly rehearsal: Rehearsal
  readonly results: readonly CaseResult[]
  readonly version: string
  /** Of the fixes; null: only general advice. */
  readonly framework: string | null
}

/** Null: the case passed, or was skipped. */
export function fixOfResult({ id, result }: CaseResult, framework: string | null): string | null {
  return result === 'pass' || result === 'skipped' ? null : fixOfCase(id, framework)
}

/** To add a format of reports, add a file to `reports/`. */
export interface ReportFormat {
  readonly id: string
  write(input: ReportInput): string
}

/** `reportFormats` collects the default exports of `reports/`. */
export function defineReport(format: ReportFormat): ReportFormat {
  return format
}

const modules = import.meta.glob<ReportFormat>('./reports/*.ts', {
  eager: true,
  import: 'default',
})

export const reportFormats: readonly ReportFormat[] = Object.values(modules)

/** "Grade C, capped by S4" … Empty for a run without a grade. */
export function gradeText({ grade, cappedBy }: Rehearsal): string {
  if (grade === null) return ''
  if (cappedBy === null) return `Grade ${grade}`
  return `Grade ${grade}, capped by ${cappedBy === 'no-secret' ? 'the missing secret' : cappedBy}`
}
