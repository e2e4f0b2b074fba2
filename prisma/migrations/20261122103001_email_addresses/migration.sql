-- E-mail addresses are stored in Unicode's composed form (NFC) and with the domain in ASCII (RFC 5890), as the service
-- writes them from now on. Only rows with other characters than ASCII change. Of two accounts with the same address the
-- older one gets it; the other keeps its spelling, with which nobody can sign in any more, until an operator decides.

-- Punycode of one label of a domain (RFC 3492 §6.3).
CREATE FUNCTION pg_temp.ascii_label(label text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    digits CONSTANT text := 'abcdefghijklmnopqrstuvwxyz0123456789';
    points CONSTANT int[] := ARRAY(SELECT ascii(c) FROM regexp_split_to_table(label, '') WITH ORDINALITY AS t(c, i) ORDER BY i);
    encoded text := regexp_replace(label, '[^[:ascii:]]', '', 'g');
    basic CONSTANT int := length(encoded);
    handled int := basic;
    n int := 128;
    delta int := 0;
    bias int := 72;
    c int;
    next int;
    q int;
    k int;
    t int;
BEGIN
    IF handled = cardinality(points) THEN RETURN label; END IF;
    IF basic > 0 THEN encoded := encoded || '-'; END IF;
    WHILE handled < cardinality(points) LOOP
        SELECT min(point) INTO next FROM unnest(points) point WHERE point >= n;
        delta := delta + (next - n) * (handled + 1);
        n := next;
        FOREACH c IN ARRAY points LOOP
            IF c < n THEN delta := delta + 1; END IF;
            CONTINUE WHEN c <> n;
            q := delta;
            k := 36;
            LOOP
                t := least(greatest(k - bias, 1), 26);
                EXIT WHEN q < t;
                encoded := encoded || substr(digits, t + (q - t) % (36 - t) + 1, 1);
                q := (q - t) / (36 - t);
                k := k + 36;
            END LOOP;
            encoded := encoded || substr(digits, q + 1, 1);
            delta := CASE WHEN handled = basic THEN delta / 700 ELSE delta / 2 END;
            delta := delta + delta / (handled + 1);
            k := 0;
            WHILE delta > 455 LOOP
                delta := delta / 35;
                k := k + 36;
            END LOOP;
            bias := k + 36 * delta / (delta + 38);
            delta := 0;
            handled := handled + 1;
        END LOOP;
        delta := delta + 1;
        n := n + 1;
    END LOOP;
    RETURN 'xn--' || encoded;
END
$$;

CREATE FUNCTION pg_temp.normal_email(email text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT normalize(substring(email FROM '^(.*@)'), NFC) || string_agg(pg_temp.ascii_label(label), '.' ORDER BY i)
    FROM regexp_split_to_table(normalize(lower(normalize(substring(email FROM '[^@]*$'), NFKC)), NFKC), '\.') WITH ORDINALITY AS t(label, i)
$$;

UPDATE "users" u SET "email" = n.normal
FROM (
    SELECT DISTINCT ON (normal) "id", normal
    FROM (SELECT "id", "created_at", pg_temp.normal_email("email") AS normal FROM "users" WHERE octet_length("email") <> length("email")) a
    ORDER BY normal, "created_at", "id"
) n
WHERE u."id" = n."id" AND u."email" <> n.normal AND NOT EXISTS (SELECT 1 FROM "users" o WHERE o."email" = n.normal);

UPDATE "invitations" i SET "email" = n.normal
FROM (
    SELECT DISTINCT ON ("team_id", normal) "id", "team_id", normal
    FROM (
        SELECT "id", "team_id", "sent_at", pg_temp.normal_email("email") AS normal FROM "invitations"
        WHERE "status" = 'pending' AND octet_length("email") <> length("email")
    ) a
    ORDER BY "team_id", normal, "sent_at" DESC, "id"
) n
WHERE i."id" = n."id" AND i."email" <> n.normal
    AND NOT EXISTS (SELECT 1 FROM "invitations" o WHERE o."team_id" = n."team_id" AND o."email" = n.normal AND o."status" = 'pending');

UPDATE "mail_links" SET "email" = pg_temp.normal_email("email") WHERE octet_length("email") <> length("email");
UPDATE "teams" SET "gravatar_email" = pg_temp.normal_email("gravatar_email") WHERE octet_length("gravatar_email") <> length("gravatar_email");

DROP FUNCTION pg_temp.normal_email(text);
DROP FUNCTION pg_temp.ascii_label(text);
