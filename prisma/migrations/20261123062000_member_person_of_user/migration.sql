-- Refuses a user who does not exist before the foreign key does. Otherwise, one who is created between both would be a member without a name.
CREATE OR REPLACE FUNCTION "members_person"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "users" WHERE "id" = NEW."user_id" FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'user % does not exist', NEW."user_id"
            USING ERRCODE = 'foreign_key_violation', TABLE = 'members', CONSTRAINT = 'members_user_id_fkey';
    END IF;
    SELECT lower("name") || E'\n' || "email" INTO NEW."person" FROM "users" WHERE "id" = NEW."user_id";
    RETURN NEW;
END
$$;
