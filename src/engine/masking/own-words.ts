/** Of the sentences that Tabscope writes: reasons, errors, notes, results. All other words in them came from outside. */
export const ownWords: ReadonlySet<string> = new Set(
  `a absent env seed xml junit accept accepted accepts access account add added address addresses after again agent all allow allowed already also although an and
  another any anyone anyway api app appearance appended application approved are around arrival arrive as ascii ask aspnet async at attempt attempts
  authentic authority authorization authorize automatically available await bad base be bearer because been before beginning begins behind belongs
  below between big binary bodies body bom boolean both brand break browser browsers buffer bug but by byte bytes call callback calls can cancel
  cancelled cannot captured case cases catalogue catch category cause causes certificate change changed changes character characters charges charset
  check checked choose chunked chunks claimed class clear click client clipboard clock close closed closers closing cloudflare coalesce code codes
  colons command commas common compare compared compares comparison complete compose compressed compute computed computer config configuration
  configure configured confirmed conflict connect connection console const constant constructor contains content context continue control convert
  converted copy correct could count counter counts crash create created credentials current custom cut damaged dashboard data database date day
  debug decide decoded decoding decrypted default delete deleted deliveries delivery denied desc describe destination detail details dict did differ
  different differently differs digest digits do documentation documented does down draft dropped duplicate during each earlier edit edited effect
  effects either else empty encode encoded encoding encrypted end ended endian endpoint endpoints ends enter entered entry equal error errors escape
  escaped escapes event events every everything exact exactly example except exchange exec exist exists exit expect expected expects expired expires
  expiry export express extra extract facts fail failed failing fails failure false fastify fault field fields file filter final find finding
  findings finish finished first fix flow flows follow followed follows for forever forged form forms forward forwarded found fractions framework
  frameworks free from full function general genuine get gets given gives go got grade grant group guests handler happens har has hash have head
  header headers help here hex hexadecimal hexdigest hides history hmac hono hop hops host html http https hyphens i id identifier ids if ignore
  ignores import in include includes including incomplete indented index indexed initiated input insert instead integration interface internal into
  invalid ip is iso issued it item its itself java job join json judge judged kb keep kept key keyed keys kib kind know known label language large
  larger last late later latin layout leading leak least leaves left length let letter letters like limit line lines link list listed listen
  listener listening listens lists load loaded localtunnel location locations lock log logs longer longest look looks loopback loses lost low lower
  mac machine made manually many map margin mark match matches math mb memory message messages method mib middle milliseconds min missing mode more
  most ms must name named names ndjson neither net network never new newer next ngrok no nobody node non none nor not note nothing now null number
  numbers oauth object objects observer of off offline ok old older on once one only open opened optional options or order orders ordinary origin
  other ours out outcome outside over own page parameter parameters parse parsed parsers parsing part parts pass password paste path pathname paths
  pause payload pending percent phase pick pieces place placed placeholder placeholders plain port ports position post prefix preparation prepare
  prepared preparing present previous print printed prints probably problem problems process processed processes product production program promise
  protocol proxies proxy public python query queue quotes raise random raw reached read readonly reads reason received record recorded redirect
  redirected redirects refresh refusal refuse refused register rehearsal rehearse reject rejected rejects rem remove removed repeat repeated repeats
  replace replaced replaces reply report reported request requested requests require required requires resend resolve resource respond responded
  responding responds response responses rest restart result results resume retried retries retry return returned returns revoked rfc right rotation
  route ruby rule run running runs rust s same sandbox save says scanned schema scheme sealed search second seconds secret secrets section secure
  see seen sees select selected selection send sender sends sent separated separators serialized server service session set setting settings
  settling several severity sha share short shortest should show shown shows side sign signal signature signatures signed signer signing simulate
  since single size skip skipped slash slashes slice slow snake so some something sorted space spaces split spring stack standard start started
  starts state states status stays step still stop stopped store stored str string stringify strings such sum summary support system tab table tabs
  tabscope tally target targets template test testcase text than that the their them theme themselves then there these they this those thread
  through throw time timed timeout times timestamp title tls to together token tokens too took total trace traffic trailers trailing transaction
  transfer transit treats tried tries trim true truncated try tunnel turn turned twice two type typeof types u ufeff uncertain unchanged undefined
  under unicode unique unknown unless unnecessary unsolicited until up update updated upper url us usable use used user username uses utc utf uuid
  valid value values variable verdict verifies verify version view views void wait waiting waits was way we webhook webhooks went were what when
  where whether which while white who whole whose why window windows with within without word work would write writes written wrong xff yet you your
  yourself zeros`.split(/\s+/),
)
