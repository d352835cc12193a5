/** Of the sentences that Tabscope writes: reasons, errors, notes, results. All other words in them came from outside. */
export const vocabulary: ReadonlySet<string> = new Set(
  `a abort about absent accent accept accepted accepting accepts access account acknowledges act acts add added addition address addresses after again
  age agent ago algorithms alike all allow allowed alone already also although an and another answer answers any anyone anything anyway anywhere api apostrophes
  app appearance appended application apply approved are around array arrays arrival arrive as ascii ask asked asks aspnet assert async at attacker
  attackers attempt attempts authentic authority authorization authorize automatically available await away aws backslashes backticks bad base base64
  base64url basis be bearer because been before began beginning begins begun behind belongs below between beyond big bigdecimal binary bits blocked
  bodies body bom boolean boot both brackets brand break browser browsers buffer bug build busiest but button by byte bytes ca call callback calls can
  cancel cancelled cannot capped captured carriage case cases catalogue catch categories category cause causes certificate cesu change changed changes
  character characters charge charges charset check checked checks choice choose chunk chunked chunks claimed class clear click client clipboard clock
  close closed closers closes closing cloudflare coalesce code codes colons column comma command commas common company compare compared compares comparison comparisons
  complete completed compose compressed compute computed computer computes config configuration configure configured confirmed conflict connect
  connection connections connects console const constant constructor contains content context continue contradicts control convert converted copied
  copies copy core correct could count counter counts cover cr crash crashed crashes crawlers create created credentials crlf current custom customer
  cut damaged dashboard data database date day days debug decide declared decoded decoders decoding decrypted deduplicate deduplicates default
  definition delays delete deleted deliveries delivery denied denies desc describe describes destination detail details dict did differ different
  differently differs digest digit digits disable disabled disablehtmlescaping disagree discard discards dispatch django do doctype documentation
  documented does done double doubled doubles down draft dropped dumps duplicate during each earlier edit edited effect effects either else emoji empty
  encode encoded encoder encodetostring encoding encodings encrypted end ended endian endpoint endpoints ends enough ensure_ascii enter entered entry
  env equal error errors escape escape_forward_slashes escape_non_ascii escaped escapehtml escapenonascii escapes even event events every everything
  exact exactly example except exchange exchanged exec exist exists exit expect expected expects expired expires expiry exponent export express extends
  extra extract facts fail failed failing fails failure failures false fast fastapi fastify fault few fffd field fields file filter final find finding
  findings finish finished first fix flaky flipped flow flows follow followed follows for forever forge forged form formats formed forms forward
  forwarded found four fractions framework frameworks free fresh from front full function future general generate genuine get gets given gives go got
  grade grant group growing gson guarantees guessed guest guests gzip had half handler happens har has hash have head header headers held help here hex
  hexadecimal hexdigest hide hides histories history hmac hold hono hop hops host html
  http http_proxy https https_proxy hyphens i id identifier identity ids if ignore ignores
  import in include includes including incomplete indented index indexed initiated input insert inside instead integers integration interface internal
  interrupt interrupted into invalid invisible ip is iso issued it item its itself jackson java javascript job join json json_encode json_hex_amp
  json_hex_apos json_hex_quot json_hex_tag json_preserve_zero_fraction json_unescaped_slashes json_unescaped_unicode jsonconvert jsonencoder
  jsonserializer judge judged junit kb keep keeps kept key keyed keys kib kind know known knows kotlinx label lambda language languages laravel large
  larger largest last late later latin latin1 layout leading leak least leaves led left length lengths let lets letter letters level levels lf like
  limit line lines link list listed listen listened listener listening listens lists load loaded loads localhost localtunnel location locations lock log logged
  logs longer longest look looks loopback loses lost low lower mac machine made make makes manually many map margin mark markdown marks marshal match
  matches math matters may mb meaning meaningful meanwhile members memory message messages method methods mib middle milliseconds min minute missing
  mistake mixed mode modifying moment more moshi most moves ms must name named names ndjson neither nestjs net network never new newer newtonsoft next
  nfc nfd ngrok no no_proxy nobody node non none nor not notation note nothing now null nulls number numbers oauth object objectmapper objects observe observed
  observer obtaining of off offer offline often ok old older on once one
  ones only open opened opens operator option optional options or order orders ordinary org
  origin other ours out outcome outside over overloads own page pair parameter parameters params parse parsed parsers parsing part partial parts pass
  passed password paste patch path pathname paths pattern pause payload pending per percent phase php pick pieces place placed placeholder placeholders
  places plain port ports position possible post precheck prefix preparation prepare prepared preparing present press prevents previews previous price
  prices print printed prints probably problem problems process processed processes product production products program progress promise protection
  protects protocol prototype proves proxies proxy public punctuation purpose push put python query question queue quote quotes rails raise random ran raw
  rawmessage reachable reached read reader readonly reads real reason received reconciled record recorded recovering redirect redirected redirects refresh
  refreshed refreshes refusal refuse refused refuses register rehearsal rehearsals rehearse reject rejected rejecting rejects released relies rem remembers remove
  removed repeat repeated repeats repetition replace replaced replacement replaces reply report reported req request requested requests require required
  requires resend reset resolve resolved resource respond responded responding responds response responses rest restart restaurant result results resume
  retried retries retry retrying return returned returns reveals reversed review revoke revoked rfc right rights rotated rotation route row ruby rule
  run running runs rust s safe same sandbox save say says scanned scenario schema scheme script scripts sealed search second seconds secret secrets section secure see
  seed seen sees select selected selection sells semicolon send sender sends sent separated separator separators sequential serialize serialized
  serializeobject server servers service session set setescapehtml setting settings settling several severity sha share short shortest should show
  showed shown shows side sign signal signature signatures signed signer signing signs silence silently simulate simultaneous since single size skip
  skipped slash slashes slice slow small snake so some something sometimes sort sort_keys sorted sortedkeys space spaces special spelling split spring
  stack standard starlette start started starts state states status stayed stays step steps still stop stopped store stored stores str strict string
  stringify strings struct such sum summary support surrogate swift switch symfony system tab table tables tabs tabscope takes tally target targeted
  targets template ten test testcase tests testsuite testsuites text than that the their them theme themselves then there these they this those thread
  through throw time timed timeout times timestamp title tls to to_json together tojson token tokens tolerate too took top total totals trace traffic
  trailers trailing transaction transfer transit transport treats tried tries trigger trim trims true truncated try tunnel tunnels turn turned twice two
  type typeof types u ufeff uncertain unchanged uncompressed unconfigured undefined under understand unicode unique unknown unless unnecessary
  unsaferelaxedjsonescaping unsolicited until up update updated upper url us usable use used useless usenumber user username uses utc utf uuid valid
  validation value values variable variables variant variants verdict verifies verify verifying version versions view views void wait waiting waits warn
  warning warnings was watch way we weak weakest webhook webhooks well went were what when where whether which while white who whole whose why wide
  window windows with within without word wordpress work would write writer writes writevalueasbytes writevalueasstring writing written wrong xff xml
  yet you your yourself zero zeros`.split(/\s+/),
)
