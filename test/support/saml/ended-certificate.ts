/** A certificate in base64 that ended on 2021-01-01. The openssl of some systems cannot make one that has ended. Its key does not exist any more. */
export const endedCertificate = [
  'MIICqjCCAZICAQEwDQYJKoZIhvcNAQELBQAwGzEZMBcGA1UEAwwQcHJvdmlkZXIuZXhhbXBsZTAeFw0yMDAxMDEwMDAwMDBaFw0yMTAxMDEwMDAwMDBaMBsx',
  'GTAXBgNVBAMMEHByb3ZpZGVyLmV4YW1wbGUwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQDcjyfEzpVVlGemAOFkdUemY85zPlcK3EfpwF/7U9rZ',
  'uShGTR7+xomS0DtRsz62LcQ9bUEm+jmiHf1mh43+IHMrcPSWKOo4VduXJWo8yKS4Kb8aSUhF0lrgHxinkx2GprstaLQ//3UEAkkN0/G+f12ot4bhQOxGekht',
  'bcR/jpkxliS1xn/oe+vZ3R3XdyCR/YYNVi3bqtdTnTQ4kscf7ra+a2vdf0PCUeGvZqyUDQFSFiYimgp7qJSh153FS0J4tOdRyJ8/xbSAuYqnuuqFU09fCywz',
  'FHcPLslaVG1q0eUNwjLTN3CPIXmRWXRJFkulFylbfrYKOyxfGs0IOm/O9iJNAgMBAAEwDQYJKoZIhvcNAQELBQADggEBANsXzWj3p5MlDDwmhp16pCKYzw15',
  'e+h/TldOgLk0Ksv9y68JNOW4ojhX/qfbvP6odZbzXxqw2xb/I/JdYKSTvfzz72xThgjzuZlCx1qQHqfrRYfXWdUZmhNmQi/+A3ZJqwLSPns6fO34/7SURn7I',
  'XzDaIKl04nQW2CScLj9TXalZbOBUJt94wzg5MM57qI3G1gyNz8bHdv06BiyVMkNg4+xYNvJXWih2uTtjTIAhbX6RrvXCtp6OkFap55ukqCbuGZ/hPUZg4rQQ',
  '5rUSGLOcIV8miQNdqL7P1CBm5NIs+lMwbZkjOMOuxJj0k4Cn4myKm2R15ozEws/FBxklRSyB3hc=',
].join('')
