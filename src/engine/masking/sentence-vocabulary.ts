/** Of the sentences that Tabscope writes: reasons, errors, notes, results. All other words in them came from outside. */
export const vocabulary: ReadonlySet<string> = new Set(
  `a crlf delete patch put truncated compressed serialized abort about absent accent accept accepted accepting accepts access account acknowledges act acts add added addition address addresses after
  again age agent ago algorithms alike all allow allowed alone already also although an and another any anyone anything anyway anywhere api app
  appearance appended application apply approved are around arrival arrive as ascii ask asked asks aspnet assert async at attacker attackers attempt
  attempts authentic authority authorization authorize automatically available await away bad base basis be bearer because been before began
  beginning begins begun behind belongs below between beyond big binary bits blocked bodies body bom boolean both brand break browser browsers
  buffer bug build busiest but button by byte bytes call callback calls can cancel cancelled cannot capped captured case cases catalogue catch
  categories category cause causes certificate change changed changes character characters charge charges charset check checked checks choice choose
  chunk chunked chunks claimed class clear click client clipboard clock close closed closers closes closing cloudflare coalesce code codes colons
  command commas common compare compared compares comparison comparisons complete completed compose compressed compute computed computer computes
  config configuration configure configured confirmed conflict connect connection connections connects console const constant constructor contains
  content context continue contradicts control convert converted copied copies copy correct could count counter counts cover crash crashed crashes
  crawlers create created credentials current custom customer cut damaged dashboard data database date day days debug decide declared decoded
  decoders decoding decrypted deduplicate deduplicates default definition delays delete deleted deliveries delivery denied denies desc describe
  describes destination detail details dict did differ different differently differs digest digit digits disable disabled disagree discard discards
  dispatch do doctype documentation documented does done down draft dropped duplicate during each earlier edit edited effect effects either else
  emoji empty encode encoded encoding encodings encrypted end ended endian endpoint endpoints ends enough enter entered entry env equal error errors
  escape escaped escapes even event events every everything exact exactly example except exchange exchanged exec exist exists exit expect expected
  expects expired expires expiry exponent export express extends extra extract facts fail failed failing fails failure failures false fastify fault
  few field fields file filter final find finding findings finish finished first fix flaky flipped flow flows follow followed follows for forever
  forge forged form formats formed forms forward forwarded found fractions framework frameworks free fresh from front full function future general
  genuine get gets given gives go got grade grant group growing guarantees guessed guest guests gzip had half handler happens har has hash have head
  header headers help here hex hexadecimal hexdigest hide hides histories history hmac hono hop hops host html http https hyphens i id identifier
  identity ids if ignore ignores import in include includes including incomplete indented index indexed initiated input insert instead integers
  integration interface internal interrupt interrupted into invalid ip is iso issued it item its itself java job join json judge judged junit kb
  keep keeps kept key keyed keys kib kind know known knows label language languages large larger largest last late later latin layout leading leak
  least leaves led left length lengths let lets letter letters level levels like limit line lines link list listed listen listened listener
  listening listens lists load loaded localhost localtunnel location locations lock log logs longer longest look looks loopback loses lost low lower
  mac machine made make makes manually many map margin mark markdown match matches math matters may mb meaning meaningful meanwhile memory message
  messages method methods mib middle milliseconds min minute missing mistake mixed mode modifying moment more most moves ms must name named names
  ndjson neither net network never new newer next ngrok no nobody node non none nor not note nothing now null nulls number numbers oauth object
  objects observe observed observer obtaining of off offer offline often ok old older on once one ones only open opened optional options or order
  orders ordinary origin other ours out outcome outside over overloads own page pair parameter parameters parse parsed parsers parsing part partial
  parts pass passed password paste path pathname paths pattern pause payload pending per percent phase pick pieces place placed placeholder
  placeholders places plain port ports position post precheck prefix preparation prepare prepared preparing present press prevents previews previous
  price prices print printed prints probably problem problems process processed processes product production products program progress promise
  protection protects protocol prototype proves proxies proxy public purpose push python query queue quote quotes raise random raw reached read
  reader readonly reads real reason received reconciled record recorded recovering redirect redirected redirects refresh refreshed refreshes refusal
  refuse refused register rehearsal rehearsals rehearse reject rejected rejecting rejects relies rem remembers remove removed repeat repeated
  repeats repetition replace replaced replacement replaces reply report reported request requested requests require required requires resend reset
  resolve resource respond responded responding responds response responses rest restart restaurant result results resume retried retries retry
  retrying return returned returns reveals reversed review revoke revoked rfc right rights rotated rotation route row ruby rule run running runs
  rust s safe same sandbox save say says scanned scenario schema scheme sealed search second seconds secret secrets section secure see seed seen
  sees select selected selection sells send sender sends sent separated separators sequential serialized server servers service session set setting
  settings settling several severity sha share short shortest should show showed shown shows side sign signal signature signatures signed signer
  signing signs silence silently simulate simultaneous since single size skip skipped slash slashes slice slow small snake so some something
  sometimes sort sorted space spaces spelling split spring stack standard start started starts state states status stayed stays step steps still
  stop stopped store stored stores str strict string stringify strings such sum summary support surrogate switch system tab table tables tabs
  tabscope takes tally target targeted targets template ten test testcase tests testsuite testsuites text than that the their them theme themselves
  then there these they this those thread through throw time timed timeout times timestamp title tls to together token tokens tolerate too took top
  total totals trace traffic trailers trailing transaction transfer transit transport treats tried tries trigger trim trims true truncated try
  tunnel tunnels turn turned twice two type typeof types u ufeff uncertain unchanged unconfigured undefined under understand unicode unique unknown
  unless unnecessary unsolicited until up update updated upper url us usable use used useless user username uses utc utf uuid valid validation value
  values variable variant variants verdict verifies verify verifying version versions view views void wait waiting waits warn warning warnings was
  watch way we weak weakest webhook webhooks well went were what when where whether which while white who whole whose why window windows with within
  without word work would write writer writes writing written wrong xff xml yet you your yourself zero zeros`.split(
    /\s+/,
  ),
)
