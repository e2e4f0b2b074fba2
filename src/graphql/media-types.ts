const responseTypes = ['application/graphql-response+json', 'application/json', 'text/event-stream', 'multipart/mixed']

/**
 * Whether yoga can respond with a media type that an `Accept` header field allows. Yoga itself compares them only after it has executed the
 * operation, and then discards the result, also that of a mutation.
 */
export function isAcceptable(accept: string | undefined): boolean {
  const ranges = (accept || '*/*').replaceAll(/\s/g, '').toLowerCase().split(',')
  return ranges.some((range) => {
    const [mediaType, ...parameters] = range.split(';')
    const charset = parameters.find((parameter) => parameter.includes('charset='))
    return (charset === undefined || charset === 'charset=utf-8') && responseTypes.some((type) => rangesOf(type).includes(mediaType))
  })
}

const rangesOf = (type: string): (string | undefined)[] => [type, `${type.split('/')[0]}/*`, '*/*']
