"""What the settings of the service mean for people: how long they stay signed in, and how often they may ask."""

from puntobanco.server.configuration import Configuration
from puntobanco.server.rates import Rate, Rates
from puntobanco.server.terms import DAY, HOUR, MINUTE, SECOND, Terms


def terms_of(configuration: Configuration) -> Terms:
    """The terms on which people come and stay."""
    return Terms(
        https=configuration.secure_cookies,
        patron_idle=configuration.patron_idle_hours * HOUR,
        patron_longest=configuration.patron_session_days * DAY,
        staff_idle=configuration.staff_idle_minutes * MINUTE,
        staff_longest=configuration.staff_session_hours * HOUR,
        wrong_passwords=configuration.wrong_passwords,
        longest_lock=configuration.longest_lock_minutes * MINUTE,
    )


def rates_of(configuration: Configuration) -> Rates:
    """How often is too often."""
    if not configuration.rate_limits:
        # What bounds the memory holds in any case.
        return Rates(
            commands=None,
            requests=None,
            sign_ins=None,
            guests=None,
            sockets=None,
            session_sockets=None,
            all_sockets=configuration.most_sockets,
            connections=None,
        )
    commands, requests = configuration.commands_per_second, configuration.requests_per_second
    sign_ins, guests = configuration.sign_ins_per_minute, configuration.guests_per_minute
    return Rates(
        commands=Rate(commands, SECOND, 3 * commands),
        requests=Rate(requests, SECOND, 4 * requests),
        sign_ins=Rate(sign_ins, MINUTE, sign_ins),
        guests=Rate(guests, MINUTE, guests),
        sockets=configuration.sockets_per_address,
        all_sockets=configuration.most_sockets,
        # As many again for requests as for the sockets, which begin as requests.
        connections=2 * configuration.sockets_per_address,
    )
