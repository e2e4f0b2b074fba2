// Documents that are written to cost the service processor time. Each is refused, or answered cheaply.

const repeat = (count: number, each: (index: number) => string, separator = ' ') =>
  Array.from({ length: count }, (_, index) => each(index)).join(separator)
const kind = 'viewer { kind }'

interface HostileRequest {
  /** The body of the request: the JSON of this value, or these bytes. */
  body: unknown
  code: string
}
const document = (query: string, code: string, variables?: unknown): HostileRequest => ({ body: { query, variables }, code })

const syntax = 'graphql_parse_failed'
const invalid = 'graphql_validation_failed'
const costly = 'query_too_costly'
const input = 'bad_user_input'
const unresolved = 'operation_resolution_failure'

export const hostileRequests: Readonly<Record<string, HostileRequest>> = {
  'fields below each other': document('{ viewer '.repeat(600), costly),
  'fields below each other, as deep as the parser allows': document(`{ ${'viewer { '.repeat(95)} kind ${'} '.repeat(95)} }`, invalid),
  'teams of members of teams': document(
    `{ teams { ${'members { nodes { user { teams: userId } team { '.repeat(15)} slug ${'} } } '.repeat(15)} } }`,
    costly,
  ),
  'lists of lists': document(
    `{ teams { ${repeat(9, (i) => `a${i}: members(perPage: 100) { nodes { name email role } }`)} } }`.replace(
      'teams {',
      'teamsConnection(first: 100) { nodes {',
    ) + ' }',
    costly,
  ),
  'an unknown field, many times': document(`{ ${repeat(1_990, () => 'kind')} }`, costly),
  'aliases by the thousand': document(`{ ${repeat(1_400, (i) => `a${i}: ${kind}`)} }`, syntax),
  'as many aliases as tokens allow': document(`{ ${repeat(330, (i) => `a${i}: ${kind}`)} }`, costly),
  'one field, many times': document(`{ ${repeat(490, () => kind)} }`, costly),
  'one field as often as allowed, with different selections': document(`{ ${repeat(150, (i) => `viewer { a${i}: kind }`)} }`, 'none'),
  'one nested field as often as allowed': document(
    `{ ${repeat(140, (i) => `team(slug: "a") { members { a${i}: total } }`)} }`,
    'team_forbidden',
  ),
  'conflicting fields': document(`{ ${repeat(140, (i) => `viewer { a: ${['kind', 'scopes'][i % 2]} }`)} }`, invalid),
  'conflicting arguments': document(`{ ${repeat(150, (i) => `team(slug: "a${i}") { name }`)} }`, invalid),
  'a fragment that spreads itself': document('{ ...a } fragment a on Query { ...a }', invalid),
  'a circle of fragments': document(`{ ...f0 } ${repeat(190, (i) => `fragment f${i} on Query { ...f${(i + 1) % 190} }`)}`, invalid),
  'fragments that all spread each other': document(
    `{ ...f0 } ${repeat(22, (i) => `fragment f${i} on Query { ${repeat(22, (j) => `...f${j}`)} }`)}`,
    invalid,
  ),
  'fragments that double': document(
    `{ ...f0 } ${repeat(120, (i) => `fragment f${i} on Query { ${i < 119 ? `...f${i + 1} ...f${i + 1}` : kind} }`)}`,
    costly,
  ),
  'fragments that double below fields': document(
    `{ teams { ...f0 } } ${repeat(50, (i) => `fragment f${i} on Team { ${i < 49 ? `a: members { nodes { team { ...f${i + 1} } } } b: members { nodes { team { ...f${i + 1} } } }` : 'slug'} }`)}`,
    costly,
  ),
  'many fragments of the same fields': document(
    `{ ${repeat(100, (i) => `...f${i}`)} } ${repeat(100, (i) => `fragment f${i} on Query { viewer { kind } }`)}`,
    'none',
  ),
  'unused fragments': document(`{ ${kind} } ${repeat(240, (i) => `fragment f${i} on Viewer { kind }`)}`, invalid),
  'unknown fragments': document(`{ ${repeat(900, (i) => `...f${i}`)} }`, invalid),
  'fragments of unknown types': document(`{ ${repeat(280, (i) => `... on Viewr${i} { a }`)} }`, invalid),
  'inline fragments': document(`{ ${repeat(280, () => `... { ${kind} }`)} }`, costly),
  'an unknown directive, many times': document(`{ viewer ${repeat(900, (i) => `@a${i}`)} { kind } }`, invalid),
  'a directive that is repeated': document(`{ viewer ${repeat(390, () => '@skip(if: false)')} { kind } }`, syntax),
  'a directive that is repeated as often as tokens allow': document(
    `{ viewer ${repeat(270, () => '@skip(if: false)')} { kind } }`,
    invalid,
  ),
  'a leaf, many times': document(`{ viewer { ${repeat(1_980, () => 'kind')} } }`, costly),
  'leaves of a field that is repeated': document(
    `{ ${repeat(110, () => 'viewer { kind kind id id scopes scopes userId userId }')} }`,
    costly,
  ),
  'leaves of a field that is repeated as often as allowed': document(
    `{ ${repeat(45, () => 'viewer { kind kind id id scopes scopes userId userId name name }')} }`,
    'none',
  ),
  'nested fields that are repeated': document(`{ ${repeat(150, () => 'viewer { user { kind } }')} }`, invalid),
  'fragments with a directive': document(
    `{ ${repeat(100, (i) => `...f${i} @include(if: true)`)} } ${repeat(100, (i) => `fragment f${i} on Query { ping }`)}`,
    invalid,
  ),
  'fragments of fields with arguments': document(
    `{ ${repeat(110, (i) => `...f${i}`)} } ${repeat(110, (i) => `fragment f${i} on Query { team(slug: "a") { name } }`)}`,
    'team_forbidden',
  ),
  'arguments with long values': document(`{ ${repeat(150, () => `team(slug: "${'a'.repeat(180)}") { name }`)} }`, 'team_forbidden'),
  'arguments with lists': document(`{ ${repeat(40, () => `nodes(ids: [${repeat(35, () => '"a"')}]) { id }`)} }`, 'not_found'),
  'spreads with a directive': document(
    `{ ${repeat(180, (i) => `...f @include(if: ${i % 2 === 0})`)} } fragment f on Query { ${kind} }`,
    'none',
  ),
  'fields with a directive': document(`{ ${repeat(190, (i) => `a${i}: __typename @include(if: true)`)} }`, 'none'),
  'unknown fields': document(`{ ${repeat(500, (i) => `a${i}`)} }`, invalid),
  'misspelled fields': document(`{ ${repeat(500, (i) => `team${i % 10}`)} }`, invalid),
  'different misspelled fields': document(`{ ${repeat(500, (i) => `auditEntriesConnectio${i}`)} }`, invalid),
  'unknown arguments': document(`{ team(slug: "a" ${repeat(650, (i) => `a${i}: 1`)}) { name } }`, invalid),
  'misspelled arguments': document(
    `{ team(slug: "a") { auditEntries(${repeat(640, (i) => `authenticationMethod${i}: 1`)}) { total } } }`,
    invalid,
  ),
  'an argument that is repeated': document(`{ team(${repeat(650, () => 'slug: "a"')}) { name } }`, invalid),
  'unknown values of an enum': document(`{ ${repeat(120, (i) => `a${i}: auditEntries(action: UPDATE_TEA${i}) { total }`)} }`, invalid),
  'unknown fields of an input object': document(
    `mutation { updateTeam(input: { ${repeat(640, (i) => `nam${i}: 1`)} }) { team { name } } }`,
    invalid,
  ),
  'a list in a literal': document(`{ nodes(ids: [${repeat(1_980, (i) => `"${i}"`)}]) { id } }`, 'validation_failed'),
  'nested lists in a literal': document(`{ nodes(ids: ${'['.repeat(95)}${']'.repeat(95)}) { id } }`, invalid),
  'a list of wrong literals': document(`{ nodes(ids: [${repeat(980, () => '{}')}]) { id } }`, invalid),
  'nested objects in a literal': document(`{ team(slug: ${'{ a: '.repeat(95)}1${' }'.repeat(95)}) { name } }`, invalid),
  'many operations': document(
    repeat(240, (i) => `query q${i} { ${kind} }`),
    unresolved,
  ),
  'many operations of the same name': document(
    repeat(240, () => `query q { ${kind} }`),
    unresolved,
  ),
  'many operations without a name': document(
    repeat(240, () => `{ ${kind} }`),
    unresolved,
  ),
  'many operations that spread many fragments': document(
    repeat(90, (i) => `query q${i} { ...f0 }`) +
      repeat(90, (i) => ` fragment f${i} on Query { ...f${i + 1} }`) +
      ` fragment f90 on Query { ${kind} }`,
    unresolved,
  ),
  'many unused variables': document(`query (${repeat(480, (i) => `$a${i}: Int`)}) { ${kind} }`, invalid),
  'many variables of unknown types': document(`query (${repeat(480, (i) => `$a${i}: Strin${i}`)}) { ${kind} }`, invalid),
  'a variable that is declared many times': document(`query (${repeat(480, () => '$a: Int')}) { ${kind} }`, invalid),
  'many undefined variables': document(`{ ${repeat(160, (i) => `a${i}: team(slug: $a${i}) { name }`)} }`, invalid),
  'variables of wrong types': document(
    `query (${repeat(120, (i) => `$a${i}: Int`)}) { ${repeat(120, (i) => `a${i}: team(slug: $a${i}) { name }`)} }`,
    invalid,
  ),
  'a variable with a large list': document('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', 'validation_failed', {
    ids: Array.from({ length: 24_000 }, () => 'x'),
  }),
  'a variable with thousands of teams': document(
    'query ($teams: [String!]) { memberTotals(teams: $teams) { count } }',
    'validation_failed',
    {
      teams: Array.from({ length: 11_000 }, (_, i) => `s${i}`),
    },
  ),
  'a variable with a list of wrong values': document('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', input, {
    ids: Array.from({ length: 30_000 }, () => ({})),
  }),
  'a variable with deeply nested lists': { body: deepVariables('['.repeat(30_000), ']'.repeat(30_000)), code: input },
  'a variable with deeply nested objects': { body: deepVariables('{"a":'.repeat(14_000), `1${'}'.repeat(14_000)}`), code: input },
  'a variable with many unknown fields': document(
    'mutation ($input: UpdateTeamInput!) { updateTeam(input: $input) { team { name } } }',
    input,
    { input: Object.fromEntries(Array.from({ length: 8_000 }, (_, i) => [`nam${i}`, 1])) },
  ),
  'many variables that are not declared': document(
    `{ nothing }`,
    invalid,
    Object.fromEntries(Array.from({ length: 8_000 }, (_, i) => [`a${i}`, 1])),
  ),
  'a text that is too long': document(`{ viewer { kind } } #${'x'.repeat(80_000)}`, costly),
  'a long string': document(`{ team(slug: "${'a'.repeat(32_000)}") { name } }`, 'team_forbidden'),
  'a string of escape sequences': document(`{ team(slug: "${'\\u0061'.repeat(5_000)}") { name } }`, 'team_forbidden'),
  'a string that does not end': document(`{ team(slug: "${'a'.repeat(32_000)}`, syntax),
  'a block string of many lines': document(`{ team(slug: """${' \n'.repeat(16_000)}""") { name } }`, 'team_forbidden'),
  'a block string with escaped quotation marks': document(`{ team(slug: """${'\\"""'.repeat(8_000)}""") { name } }`, 'team_forbidden'),
  'a long name': document(`{ ${'a'.repeat(32_000)} }`, invalid),
  'many long names': document(`{ ${repeat(90, (i) => `${'teams'.repeat(70)}${i}`)} }`, invalid),
  'a long alias': document(`{ ${'a'.repeat(32_000)}: ${kind} }`, 'none'),
  'a long number': document(`{ team(slug: "a") { members(perPage: ${'9'.repeat(32_000)}) { total } } }`, invalid),
  'long comments': document(`${'# comment\n'.repeat(3_200)}{ nothing }`, invalid),
  'commas and spaces': document(`{${', '.repeat(16_000)}nothing }`, invalid),
  'only comments': document('#\n'.repeat(16_000), syntax),
  'definitions of types': document(
    repeat(270, (i) => `type T${i} { a: Int }`),
    unresolved,
  ),
  'introspection with aliases': document(`{ ${repeat(160, (i) => `a${i}: __schema { types { name } }`)} }`, invalid),
  'nested introspection': document(`{ __schema { types { ${'fields { type { '.repeat(20)} name ${'} } '.repeat(20)} } } }`, invalid),
  'types of types': document(`{ __type(name: "Team") { ${'ofType { '.repeat(90)} name ${'} '.repeat(90)} } }`, 'none'),
  'bytes that are not UTF-8': {
    body: Buffer.from([...Buffer.from('{"query":"{ team(slug: \\"'), ...Array(1_000).fill(0xff), ...Buffer.from('\\") { name } }"}')]),
    code: 'bad_request',
  },
  'lone surrogates': document(`{ team(slug: "${'\\uD800'.repeat(5_000)}") { name } }`, syntax),
  'invisible characters': document(`{ ${'\u200b'.repeat(20_000)} ${kind} }`, syntax),
}

/** JSON.stringify would overflow the stack. */
function deepVariables(open: string, close: string): Buffer {
  return Buffer.from(`{"query":"query ($ids: [ID!]!) { nodes(ids: $ids) { id } }","variables":{"ids":${open}${close}}}`)
}
