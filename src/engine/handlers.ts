import type { CallName, CallOutput, ParsedInput } from '#contract/calls.ts'
import type { Context } from './context.ts'
import * as api from './calls/api.ts'
import * as app from './calls/app.ts'
import * as authorization from './calls/authorization.ts'
import * as annotations from './calls/annotations.ts'
import * as conformance from './calls/conformance.ts'
import * as desktop from './calls/desktop.ts'
import * as deliveries from './calls/deliveries.ts'
import * as deliveryHeaders from './calls/delivery-headers.ts'
import { diagnose } from './calls/diagnose.ts'
import * as endpoints from './calls/endpoints.ts'
import * as filters from './calls/filters.ts'
import * as integrations from './calls/integrations.ts'
import * as attempts from './calls/attempts.ts'
import { recheck } from './calls/recheck.ts'
import * as resend from './calls/resend.ts'
import * as drafts from './calls/drafts.ts'
import * as jobRuns from './calls/job-runs.ts'
import * as targets from './calls/targets.ts'
import * as jobs from './calls/jobs.ts'
import * as logs from './calls/logs.ts'
import * as compose from './calls/compose.ts'
import * as forwards from './calls/forwards.ts'
import * as responses from './calls/responses.ts'
import * as sandbox from './calls/sandbox.ts'
import * as sandboxService from './calls/sandbox-service.ts'
import * as search from './calls/search.ts'
import * as several from './calls/several-deliveries.ts'
import * as settings from './calls/settings.ts'
import * as timeline from './calls/timeline.ts'
import * as tokens from './calls/tokens.ts'
import * as traces from './calls/traces.ts'
import * as tunnel from './calls/tunnel.ts'

export type Handlers = {
  readonly [N in CallName]: (input: ParsedInput<N>) => Promise<CallOutput<N>>
}

/** One line for each call of the contract. */
export function createHandlers(context: Context): Handlers {
  return {
    'app.snapshot': () => app.snapshot(context),
    'app.about': () => desktop.about(context),
    'app.showLogs': () => desktop.showLogs(context),
    'updates.check': () => desktop.check(context),
    'updates.download': () => desktop.download(context),
    'updates.install': (input) => desktop.install(context, input),
    'deliveries.page': (input) => search.page(context, input),
    'deliveries.since': (input) => deliveries.since(context, input),
    'deliveries.stored': () => deliveries.stored(context),
    'deliveries.get': (input) => deliveries.get(context, input),
    'deliveries.body': (input) => deliveries.body(context, input),
    'deliveries.signature': (input) => deliveries.signature(context, input),
    'deliveries.newer': (input) => search.newer(context, input),
    'deliveries.headers': (input) => deliveryHeaders.headers(context, input),
    'deliveries.trace': (input) => traces.trace(context, input),
    'deliveries.related': (input) => traces.related(context, input),
    'deliveries.diagnose': (input) => diagnose(context, input),
    'deliveries.recheck': (input) => recheck(context, input),
    'deliveries.timeline': (input) => timeline.timeline(context, input),
    'deliveries.conformance': (input) => conformance.conformance(context, input),
    'deliveries.annotate': (input) => annotations.annotate(context, input),
    'filters.saved': () => filters.saved(context),
    'filters.save': (input) => filters.save(context, input),
    'filters.remove': (input) => filters.remove(context, input),
    'filters.suggest': (input) => filters.suggest(context, input),
    'deliveries.pin': (input) => deliveries.pin(context, input),
    'deliveries.mark': (input) => several.mark(context, input),
    'deliveries.delete': (input) => several.remove(context, input),
    'deliveries.clear': () => deliveries.clear(context),
    'endpoints.create': (input) => endpoints.create(context, input),
    'endpoints.update': (input) => endpoints.update(context, input),
    'endpoints.remove': (input) => endpoints.remove(context, input),
    'endpoints.rotateSecret': (input) => endpoints.rotateSecret(context, input),
    'endpoints.clearSecret': (input) => endpoints.clearSecret(context, input),
    'endpoints.revealSecret': (input) => endpoints.revealSecret(context, input),
    'integrations.create': (input) => integrations.create(context, input),
    'integrations.update': (input) => integrations.update(context, input),
    'integrations.set': (input) => integrations.set(context, input),
    'integrations.remove': (input) => integrations.remove(context, input),
    'integrations.setAccessSecret': (input) => integrations.setAccessSecret(context, input),
    'integrations.clearAccessSecret': (input) => integrations.clearAccessSecret(context, input),
    'integrations.revealAccessSecret': (input) => integrations.revealAccessSecret(context, input),
    'integrations.preflight': (input) => integrations.preflight(context, input),
    'authorization.start': (input) => authorization.start(context, input),
    'authorization.paste': (input) => authorization.paste(context, input),
    'authorization.cancel': (input) => authorization.cancel(context, input),
    'authorization.runs': (input) => authorization.runs(context, input),
    'authorization.run': (input) => authorization.run(context, input),
    'authorization.reveal': (input) => authorization.reveal(context, input),
    'authorization.keepToken': (input) => authorization.keepToken(context, input),
    'authorization.clearRuns': (input) => authorization.clearRuns(context, input),
    'tokens.list': (input) => tokens.list(context, input),
    'tokens.label': (input) => tokens.label(context, input),
    'tokens.refresh': (input) => tokens.refresh(context, input),
    'tokens.reveal': (input) => tokens.reveal(context, input),
    'tokens.copy': (input) => tokens.copy(context, input),
    'tokens.forget': (input) => tokens.forget(context, input),
    'tokens.remove': (input) => tokens.remove(context, input),
    'api.send': (input) => api.send(context, input),
    'api.cancel': (input) => api.cancel(context, input),
    'api.history': (input) => api.history(context, input),
    'api.exchange': (input) => api.exchange(context, input),
    'api.body': (input) => api.body(context, input),
    'api.reveal': (input) => api.reveal(context, input),
    'api.clearHistory': () => api.clearHistory(context),
    'api.saved': () => api.saved(context),
    'api.save': (input) => api.save(context, input),
    'api.removeSaved': (input) => api.removeSaved(context, input),
    'api.curl': (input) => api.curl(context, input),
    'deliveries.resend': (input) => resend.resend(context, input),
    'attempts.list': (input) => attempts.list(context, input),
    'attempts.get': (input) => attempts.get(context, input),
    'attempts.body': (input) => attempts.body(context, input),
    'attempts.cancel': (input) => resend.cancel(context, input),
    'targets.look': (input) => targets.look(context, input),
    'targets.list': () => targets.list(context),
    'targets.set': (input) => targets.set(context, input),
    'jobs.plan': (input) => jobRuns.plan(context, input),
    'jobs.start': (input) => jobRuns.start(context, input),
    'jobs.pause': (input) => jobRuns.pause(context, input),
    'jobs.resume': (input) => jobRuns.resume(context, input),
    'jobs.cancel': (input) => jobRuns.cancel(context, input),
    'jobs.resendFailed': (input) => jobRuns.resendFailed(context, input),
    'jobs.list': () => jobs.list(context),
    'jobs.get': (input) => jobs.get(context, input),
    'jobs.items': (input) => jobs.items(context, input),
    'jobs.remove': (input) => jobs.remove(context, input),
    'compose.start': (input) => compose.start(context, input),
    'compose.save': (input) => drafts.save(context, input),
    'compose.list': () => drafts.list(context),
    'compose.get': (input) => drafts.get(context, input),
    'compose.remove': (input) => drafts.remove(context, input),
    'compose.preview': (input) => compose.preview(context, input),
    'compose.send': (input) => compose.send(context, input),
    'compose.target': (input) => compose.target(context, input),
    'compose.original': (input) => compose.original(context, input),
    'forwards.add': (input) => forwards.add(context, input),
    'forwards.update': (input) => forwards.update(context, input),
    'forwards.remove': (input) => forwards.remove(context, input),
    'forwards.drop': (input) => forwards.drop(context, input),
    'responses.set': (input) => responses.set(context, input),
    'responses.add': (input) => responses.add(context, input),
    'responses.remove': (input) => responses.remove(context, input),
    'responses.off': (input) => responses.off(context, input),
    'tunnel.open': (input) => tunnel.open(context, input),
    'tunnel.close': () => tunnel.close(context),
    'tunnel.check': () => tunnel.check(context),
    'tunnel.configure': (input) => tunnel.configure(context, input),
    'tunnel.providers': () => tunnel.providers(context),
    'tunnel.copied': (input) => tunnel.copied(context, input),
    'tunnel.dismiss': (input) => tunnel.dismiss(context, input),
    'tunnel.probeSizes': () => tunnel.probeSizes(context),
    'tunnel.stopSizes': () => tunnel.stopSizes(context),
    'tunnel.history': (input) => tunnel.history(context, input),
    'logs.formats': () => logs.formats(context),
    'logs.preview': (input) => logs.preview(context, input),
    'logs.export': (input) => logs.begin(context, input),
    'logs.pull': (input) => logs.pull(context, input),
    'logs.cancelExport': (input) => logs.cancelExport(context, input),
    'logs.dismissExport': (input) => logs.dismissExport(context, input),
    'logs.text': (input) => logs.text(context, input),
    'logs.import': (input) => logs.take(context, input),
    'logs.feed': (input) => logs.feed(context, input),
    'logs.imported': (input) => logs.imported(context, input),
    'logs.cancelImport': (input) => logs.cancelImport(context, input),
    'logs.dismissImport': (input) => logs.dismissImport(context, input),
    'logs.list': () => logs.list(context),
    'logs.remove': (input) => logs.remove(context, input),
    'logs.authorization': (input) => logs.authorization(context, input),
    'logs.setRules': (input) => logs.setRules(context, input),
    'settings.update': (input) => settings.update(context, input),
    'listener.start': (input) => settings.startListener(context, input),
    'sandbox.send': (input) => sandbox.send(context, input),
    'sandbox.evening': (input) => sandbox.evening(context, input),
    'sandbox.stop': () => sandbox.stop(context),
    'sandboxService.start': () => sandboxService.start(context),
    'sandboxService.stop': () => sandboxService.stop(context),
    'sandboxService.configure': (input) => sandboxService.configure(context, input),
    'sandboxService.revokeTokens': () => sandboxService.revokeTokens(context),
    'sandboxService.expireTokens': () => sandboxService.expireTokens(context),
    'sandboxService.openDashboard': () => sandboxService.openDashboard(context),
  } satisfies Handlers
}
