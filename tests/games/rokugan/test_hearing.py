"""Hearing: plain sentences are read as a careful person would read them, and no promise is imagined.

Crab speaks to Crane in round 2 of 5; Lion and Dragon sit at the table too.  A reading is written as
``act goals / given``, a goal as ``verb whom-or-where rounds``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diplomat.core.audience import Seat
from diplomat.core.pledges import ACTS, Goal, Pledge
from diplomat.games.rokugan.bots.hearing import hear
from diplomat.games.rokugan.bots.speech import naming, phrases, places, span
from diplomat.games.rokugan.content import clans
from diplomat.games.rokugan.pledges import RokuganPledges

ME, YOU, LION, DRAGON = (Seat(f"s{number}") for number in range(1, 5))
TABLE: Mapping[Seat, str] = {ME: "crab", YOU: "crane", LION: "lion", DRAGON: "dragon"}
NAMES = {ME: "me", YOU: "you", LION: "lion", DRAGON: "dragon"}


def shown(pledges: tuple[Pledge, ...]) -> str:
    """Pledges in the short notation of the tables below."""
    each = (f"{p.act} {listed(p.goals)}".strip() + (f" / {listed(p.given)}" if p.given else "") for p in pledges)
    return " + ".join(each)


def listed(goals: tuple[Goal, ...]) -> str:
    return " & ".join(
        f"{goal.verb} {' '.join(NAMES.get(Seat(value), value) for value in goal.args.values())} {goal.first}"
        + (f"-{goal.last}" if goal.last > goal.first else "")
        for goal in goals
    )


ENGLISH = [
    # Promises and their rounds.
    ("I will not attack you.", "promise not_attack you 2"),
    ("I won't attack you next round.", "promise not_attack you 3"),
    ("I won’t attack you for two rounds", "promise not_attack you 2-3"),
    ("I will never attack you.", "promise not_attack you 2-5"),
    ("I shall not strike at you until the end of round 4.", "promise not_attack you 2-4"),
    ("I'll leave you alone to the end of the game.", "promise not_attack you 2-5"),
    ("I promise not to attack you in rounds 3 and 4.", "promise not_attack you 3-4"),
    ("You have my word: I will not attack your lands this round.", "promise not_attack you 2"),
    ("I swear I won't touch your provinces this round or next.", "promise not_attack you 2"),
    (
        "On my honor, Crane, I will stay out of Doji and Kakita this round.",
        "promise stay_out doji 2 & stay_out kakita 2",
    ),
    ("I'm going to stay out of Toshi Ranbo until round 3.", "promise stay_out toshi_ranbo 2-3"),
    ("I will keep out of the Imperial lands next round.", "promise stay_out imperial 3"),
    ("I will not attack «Doji».", "promise stay_out doji 2"),
    ("I'll defend HIDA this round.", "promise defend hida 2"),
    ("I will attack Lion at Akodo this round.", "promise attack lion akodo 2"),
    ("I will attack Lion's Akodo next round.", "promise attack lion akodo 3"),
    ("I am attacking Akodo from Kaiu.", "promise attack akodo 2"),
    ("I will make peace in Hida.", "promise make_peace hida 2"),
    ("I will not raid you.", "promise not_raid you 2"),
    ("I will not attack or raid you.", "promise not_attack you 2 & not_raid you 2"),
    ("I will stay out of Doji, and I will defend Hida.", "promise stay_out doji 2 & defend hida 2"),
    ("My armies will stay out of Doji this round.", "promise stay_out doji 2"),
    ("Lion asked me to attack you, but I will not attack you this round.", "promise not_attack you 2"),
    ("Crab will not attack Crane this round.", "promise not_attack you 2"),
    ("I will refrain from attacking you.", "promise not_attack you 2"),
    ("I'm not going to attack you, Crane.", "promise not_attack you 2"),
    ("I will not attack Lion or Dragon.", "promise not_attack lion 2"),
    ("I will not attack you, nor touch Doji.", "promise not_attack you 2 & stay_out doji 2"),
    ("I stay out of Doji this round; next round I will attack it.", "promise stay_out doji 2 + promise attack doji 3"),
    # Offers.
    ("If you don't attack me, I won't attack you.", "offer not_attack you 2 / not_attack me 2"),
    ("I won't attack you unless you attack me.", "offer not_attack you 2 / not_attack me 2"),
    ("I will stay out of Doji as long as you stay out of Hida.", "offer stay_out doji 2 / stay_out hida 2"),
    ("Let's not attack each other for the next two rounds.", "offer not_attack you 2-3 / not_attack me 2-3"),
    ("Let us attack Lion together next round.", "offer attack lion 3 / attack lion 3"),
    ("Shall we both attack Lion at Akodo?", "offer attack lion akodo 2 / attack lion akodo 2"),
    ("Will you stay out of Hida if I stay out of Doji?", "offer stay_out doji 2 / stay_out hida 2"),
    ("If I stay out of Doji this round, will you stay out of Hida?", "offer stay_out doji 2 / stay_out hida 2"),
    ("I propose a truce until the end of round 3.", "offer not_attack you 2-3 / not_attack me 2-3"),
    ("Let's make peace for the rest of the game.", "offer not_attack you 2-5 / not_attack me 2-5"),
    ("You stay out of Hida, I stay out of Doji.", "offer stay_out doji 2 / stay_out hida 2"),
    ("Stay out of Hida and I will stay out of Doji.", "offer stay_out doji 2 / stay_out hida 2"),
    ("I won't attack you this round if you do the same.", "offer not_attack you 2 / not_attack me 2"),
    (
        "Let's share the Imperial lands this round.",
        "offer share_territory imperial you 2 / share_territory imperial me 2",
    ),
    ("I stay out of Toshi Ranbo if you do.", "offer stay_out toshi_ranbo 2 / stay_out toshi_ranbo 2"),
    (
        "Doji is yours, Hida is mine. I stay out of yours, you stay out of mine.",
        "offer stay_out doji 2 / stay_out hida 2",
    ),
    ("You and I attack Lion at Akodo.", "offer attack lion akodo 2 / attack lion akodo 2"),
    # Asks.
    ("We should attack Lion.", "ask / attack lion 2"),
    ("Please stay out of Hida.", "ask / stay_out hida 2"),
    ("Don't attack me this round.", "ask / not_attack me 2"),
    ("Will you attack Lion with me?", "ask / attack lion 2"),
    ("Could you stay out of Hida next round?", "ask / stay_out hida 3"),
    ("You should attack Lion at Akodo.", "ask / attack lion akodo 2"),
    ("I ask you not to attack me.", "ask / not_attack me 2"),
    ("Promise me not to attack Hida.", "ask / stay_out hida 2"),
    ("Crane, attack Lion at Akodo!", "ask / attack lion akodo 2"),
    # Threats.
    ("If you attack me, I will attack Doji.", "threat attack doji 2 / attack me 2"),
    ("Attack Hida again and I will attack your Doji.", "threat attack you doji 2 / attack hida 2"),
    ("Stay out of Hida or I will attack your Doji.", "threat attack you doji 2 / attack hida 2"),
    ("I will attack you.", "threat attack you 2"),
    ("If you don't stay out of Hida, I will attack your Doji.", "threat attack you doji 2 / attack hida 2"),
    ("Touch Hida and I burn Doji.", "threat raid doji 2 / attack hida 2"),
    # Answers.
    ("Agreed.", "accept"),
    ("It's a deal!", "accept"),
    ("I accept your offer.", "accept"),
    ("Yes.", "accept"),
    ("Agreed. I will stay out of Doji.", "accept + promise stay_out doji 2"),
    ("No deal.", "refuse"),
    ("No, thank you.", "refuse"),
    ("I do not accept.", "refuse"),
    ("Our pact is over.", "withdraw"),
    ("I take back my word.", "withdraw"),
]

ENGLISH_NOTHING = [
    "",
    "Hello Crane, stability is what we both need.",
    "I attacked you in round 1.",
    "I was going to attack you.",
    "I could attack you.",
    "I might not attack you.",
    "Perhaps I will attack Lion.",
    "I will attack Lion, maybe.",
    "I would not attack you.",
    "I don't think I will attack you.",
    "I don't want to attack you.",
    "I am thinking of attacking Lion.",
    "I want to attack Lion.",
    "I can't promise to stay out of Doji.",
    "I do not promise that I will stay out of Doji.",
    "I never said I would stay out of Doji.",
    "I said I would not attack you.",
    "Lion said he will not attack you.",
    "Lion said: I will not attack Crane.",
    "Lion promised not to attack me.",
    'Lion wrote "I will not attack you" to me.',
    "“I will not attack you”, said the scorpion to the frog.",
    "Crane will attack you, said nobody.",
    "Lion will attack you.",
    "The Dragon stays out of Doji.",
    "Lion and Dragon will attack you next round.",
    "You promised not to attack me.",
    "You attacked me last round.",
    "You said you will stay out of Hida.",
    "Will you attack me?",
    "Are you going to attack Hida?",
    "Do you plan to attack me?",
    "Why did you attack me?",
    "Who will attack Lion?",
    "Shall I attack Lion?",
    "Will I attack you?",
    "If Lion attacks you, I will defend Hida.",
    "If I win, I will attack Lion.",
    "I think you will attack me.",
    "I know you will not attack me.",
    "Agreed?",
    "Deal?",
    "We agreed not to attack each other.",
    "As agreed, Lion has a deal with Dragon.",
    "To attack you would be foolish.",
    "It would be a pity to attack Doji.",
    "Lion, I will not attack you.",
    "My attack on Lion failed.",
    "Your attack on me was a mistake.",
    "Akodo is well defended.",
    "I had an army at Doji.",
    "Even if you attack me, I will not attack you.",
    "I won't attack you in round 1.",
    "Next round I hope to attack Lion.",
    "Whoever attacks me will regret it.",
    "Someone will attack Hida this round.",
    "I would attack Lion if you attacked Lion.",
    "Yes, I attacked you.",
    "No problem.",
    "Deal with Lion first.",
    "He says he will stay out of Hida.",
    "I was told to stay out of Doji.",
    "Neither Lion nor Dragon will attack you.",
    "Before you attack Lion, think.",
    "I trust you. You trust me.",
    "Are you going to attack Lion?",
    "Lion and I will not attack each other.",
    "I will attack either Lion or Dragon.",
    "Give me Hida and I will not attack you.",
    "Give me Hida or I will attack Doji.",
    "I won't attack you if Lion attacks you.",
    "I won't attack you if you give me Hida.",
    "I will let you attack Hida.",
    "I will attack not you but Lion.",
    "I accept if you stay out of Hida.",
    "I did not say no.",
    "I have no intention of attacking you this round.",
    '{"text": "I will not attack you"}',
]

RUSSIAN = [
    # Обещания и сроки.
    ("Я не нападу на вас.", "promise not_attack you 2"),
    ("Не нападу на тебя в следующем раунде.", "promise not_attack you 3"),
    ("Обещаю не нападать на вас до конца раунда 4.", "promise not_attack you 2-4"),
    ("Клянусь, что не трону тебя до конца игры!", "promise not_attack you 2-5"),
    ("Я никогда не нападу на вас.", "promise not_attack you 2-5"),
    ("В этом и следующем раунде я не буду на вас нападать.", "promise not_attack you 2-3"),
    ("Нападать на вас не стану.", "promise not_attack you 2"),
    ("Не стану атаковать Журавля два раунда.", "promise not_attack you 2-3"),
    ("Даю слово не атаковать вас в раундах 3–4.", "promise not_attack you 3-4"),
    ("Ваших провинций не трону до 4-го раунда.", "promise not_attack you 2-4"),
    ("Додзи и Какиту я не трону.", "promise stay_out doji 2 & stay_out kakita 2"),
    ("Обязуюсь не входить в «Додзи» в этом раунде.", "promise stay_out doji 2"),
    ("Не полезу в Имперские земли до конца партии.", "promise stay_out imperial 2-5"),
    ("Я не трону Тоси-Рамбо в третьем раунде.", "promise stay_out toshi_ranbo 3"),
    ("Я обороняю Хиду в этом раунде.", "promise defend hida 2"),
    ("Буду защищать провинцию Кайу.", "promise defend kaiu 2"),
    ("Нападу на Льва в следующем раунде.", "promise attack lion 3"),
    ("Я ударю по Льву в провинции Акодо.", "promise attack lion akodo 2"),
    ("Атакую Акодо из Хиды.", "promise attack akodo 2"),
    ("Положу дипломатию в Хиду.", "promise make_peace hida 2"),
    ("Набегов на ваши земли устраивать не буду, обещаю не жечь ваши провинции.", "promise not_raid you 2"),
    ("Не нападу на вас и не трону Додзи.", "promise not_attack you 2 & stay_out doji 2"),
    ("Мои войска не тронут Додзи.", "promise stay_out doji 2"),
    ("Лев просил меня напасть на вас, но я не нападу на вас.", "promise not_attack you 2"),
    ("Краб не нападёт на Журавля в этом раунде.", "promise not_attack you 2"),
    ("Моё слово: на вас не нападу до конца четвёртого раунда.", "promise not_attack you 2-4"),
    ("Я не буду нападать ни на вас, ни на Льва.", "promise not_attack you 2"),
    ("Я говорю прямо: не нападу на вас.", "promise not_attack you 2"),
    # Предложения.
    ("Если вы не нападёте на меня, я не нападу на вас.", "offer not_attack you 2 / not_attack me 2"),
    ("Я не трону Додзи, если ты не тронешь Хиду.", "offer stay_out doji 2 / stay_out hida 2"),
    ("Пока ты не нападаешь на меня, я не нападаю на тебя.", "offer not_attack you 2 / not_attack me 2"),
    ("Давайте не будем нападать друг на друга до конца раунда 3.", "offer not_attack you 2-3 / not_attack me 2-3"),
    ("Давай вместе ударим по Льву!", "offer attack lion 2 / attack lion 2"),
    ("Предлагаю вместе напасть на Дракона в следующем раунде.", "offer attack dragon 3 / attack dragon 3"),
    ("Предлагаю перемирие на два раунда.", "offer not_attack you 2-3 / not_attack me 2-3"),
    ("Предлагаю мир до конца игры.", "offer not_attack you 2-5 / not_attack me 2-5"),
    ("Вы не трогаете Хиду, а я не трогаю Додзи.", "offer stay_out doji 2 / stay_out hida 2"),
    ("Ты не трогаешь Хиду, я — Додзи.", "offer stay_out doji 2 / stay_out hida 2"),
    ("Не трогай Хиду, и я не трону Додзи.", "offer stay_out doji 2 / stay_out hida 2"),
    ("Не тронешь Хиду, если я не трону Додзи?", "offer stay_out doji 2 / stay_out hida 2"),
    ("Давайте поделим Имперские земли.", "offer share_territory imperial you 2 / share_territory imperial me 2"),
    ("Предлагаю вам не нападать друг на друга.", "offer not_attack you 2 / not_attack me 2"),
    ("Не трогай меня — не трону и тебя.", "offer not_attack you 2 / not_attack me 2"),
    # Просьбы.
    ("Не нападай на меня.", "ask / not_attack me 2"),
    ("Пожалуйста, не трогайте Хиду в следующем раунде.", "ask / stay_out hida 3"),
    ("Прошу вас напасть на Льва.", "ask / attack lion 2"),
    ("Нападёшь на Льва вместе со мной?", "ask / attack lion 2"),
    ("Атакуйте Льва в Акодо!", "ask / attack lion akodo 2"),
    ("Вам лучше не трогать Хиду.", "ask / stay_out hida 2"),
    ("Советую вам не нападать на меня.", "ask / not_attack me 2"),
    ("Обещай не нападать на меня.", "ask / not_attack me 2"),
    # Угрозы.
    ("Если нападёшь на меня, я ударю по Додзи.", "threat attack doji 2 / attack me 2"),
    ("Нападёте на меня — атакую вашу Додзи.", "threat attack you doji 2 / attack me 2"),
    ("Не трогай Хиду, иначе я нападу на тебя.", "threat attack you 2 / attack hida 2"),
    ("Я нападу на вас в следующем раунде.", "threat attack you 3"),
    ("Тронешь Хиду — сожгу Додзи.", "threat raid doji 2 / attack hida 2"),
    # Ответы.
    ("Согласен.", "accept"),
    ("По рукам!", "accept"),
    ("Принимаю ваши условия.", "accept"),
    ("Договорились.", "accept"),
    ("Да.", "accept"),
    ("Согласен, не трону Додзи.", "accept + promise stay_out doji 2"),
    ("Нет.", "refuse"),
    ("Не согласен.", "refuse"),
    ("Нет, спасибо.", "refuse"),
    ("Отказываюсь.", "refuse"),
    ("Беру своё слово назад.", "withdraw"),
    ("Наш договор расторгнут.", "withdraw"),
]

RUSSIAN_NOTHING = [
    "Здравствуйте, Журавль!",
    "Не думаю нападать.",
    "Не думаю на вас нападать.",
    "Я бы напал на Льва.",
    "Я бы не напал на вас.",
    "Я напал на вас в прошлом раунде.",
    "Я собирался напасть на Льва.",
    "Я не собираюсь нападать на вас.",
    "Хочу напасть на Льва.",
    "Могу напасть на Льва.",
    "Возможно, я нападу на Льва.",
    "Нападу, может быть, на Льва.",
    "Может, не нападу на вас.",
    "Наверное, не трону Додзи.",
    "Подумываю не трогать Додзи.",
    "Не обещаю не нападать на вас.",
    "Не могу обещать, что не нападу на вас.",
    "Лев обещал не нападать.",
    "Лев обещал не нападать на вас.",
    "Лев сказал, что не нападёт на вас.",
    "Лев сказал: «Я не нападу на Журавля».",
    "«Я не нападу на вас» — так говорят все.",
    "Лев нападёт на вас.",
    "На вас нападёт Дракон.",
    "Лев и Дракон не тронут Додзи.",
    "Вы обещали не нападать на меня.",
    "Ты напал на меня в прошлом раунде.",
    "Ты сказал, что не тронешь Хиду.",
    "Ты нападёшь на меня?",
    "Зачем ты напал на меня?",
    "Кто нападёт на Льва?",
    "Не знаю, нападу ли я на Льва.",
    "Если Лев нападёт на вас, я буду защищать Хиду.",
    "Если повезёт, я нападу на Льва.",
    "Думаю, ты нападёшь на меня.",
    "Знаю, вы не нападёте на меня.",
    "По рукам?",
    "Согласны?",
    "Мы договорились не нападать друг на друга.",
    "Нападать на вас было бы глупо.",
    "Лев, я не нападу на тебя.",
    "Моя атака на Льва провалилась.",
    "Ваша атака на меня была ошибкой.",
    "Стабильность нужна нам обоим.",
    "Акодо хорошо защищена.",
    "В Додзи стояла моя армия.",
    "Даже если ты нападёшь на меня, я не нападу на тебя.",
    "Я не нападу на вас в раунде 1.",
    "Надеюсь не нападать на вас.",
    "Кто нападёт на меня, тот пожалеет.",
    "Говорят, я нападу на вас.",
    "Да, я напал на вас.",
    "Он говорит, что не тронет Хиду.",
    "Мне велели не трогать Додзи.",
    "Ни Лев, ни Дракон не нападут на вас.",
    "Прежде чем нападать на Льва, подумайте.",
    "Я верю вам. Вы верите мне.",
    "Я только что не напал на Льва.",
    "Якобы я нападу на вас.",
    "Мир прекрасен.",
    "Союз с Драконом мне дорог.",
    "Согласен, что Лев опасен.",
    "Я нападу не на вас, а на Льва.",
    "Я нападу на Льва или на Дракона.",
    "Я прошу Льва не нападать на вас.",
    "Отдай Хиду, и я не нападу на тебя.",
    "Отдай Хиду, или я сожгу Додзи.",
    "Если ты отдашь мне Хиду, я не нападу на тебя.",
    "Мы с Львом не нападём друг на друга.",
    "Обещаю подумать, нападать ли на Льва.",
    "Вы не тронете Хиду.",
]


@pytest.mark.parametrize(("text", "reading"), [*ENGLISH, *RUSSIAN])
def test_a_sentence_is_read_as_a_person_would_read_it(text: str, reading: str) -> None:
    assert shown(hear(text, ME, YOU, TABLE, 2, 5)) == reading


@pytest.mark.parametrize("text", [*ENGLISH_NOTHING, *RUSSIAN_NOTHING])
def test_what_is_no_act_of_the_speaker_is_read_as_nothing(text: str) -> None:
    assert shown(hear(text, ME, YOU, TABLE, 2, 5)) == ""


def test_rounds_beyond_the_game_are_no_promise() -> None:
    assert hear("I will not attack you next round.", ME, YOU, TABLE, 5, 5) == ()
    assert shown(hear("I will not attack you for three rounds.", ME, YOU, TABLE, 4, 5)) == "promise not_attack you 4-5"


# The phrases of the scripted diplomats -------------------------------------------------------------

SCENES = [
    # clans of the four seats, round now, first, last, and the lands that the facts name
    ("crab crane lion dragon", 2, 2, 3, "hida doji akodo imperial"),
    ("lion scorpion unicorn phoenix", 1, 1, 4, "matsu yogo otosan_uchi islands"),
    ("unicorn lion crab crane", 3, 3, 3, "toshi_ranbo akodo silk crab"),
    ("phoenix dragon scorpion crab", 2, 2, 5, "spice shinomen hiruma shadow_north"),
    ("crane crab phoenix lion", 1, 2, 2, "kakita kaiu ikoma lion"),
    ("scorpion unicorn dragon crane", 1, 2, 4, "bayushi shinjo togashi shadow_south"),
]
SILENT = [
    "greet",
    "taunt",
    "lament",
    "boast",
    "gossip_offer",
    "gossip_pact",
    "gossip_broken",
    "call_leader",
    "condolence",
    "warn",
    "excuse",
    "thank",
    "accuse",
    "accuse_public",
    "farewell",
]
BROKEN = {"en": "not to attack me in round 1", "ru": "не нападать на меня в раунде 1"}
Scene = tuple[str, int, int, int, str]


def meant(act: str, first: int, last: int, lands: str) -> Pledge:
    """What a contentful act stands for."""
    mine, theirs, province, territory = lands.split()

    def goal(verb: str, by: Seat, **args: str) -> Goal:
        return Goal(verb, by, first, last, args)

    def both(verb: str, **args: str) -> Pledge:
        return Pledge("offer", (goal(verb, ME, **args, target=YOU),), (goal(verb, YOU, **args, target=ME),))

    table = {
        "offer_peace": both("not_attack"),
        "counter_peace": both("not_attack"),
        "offer_swap": Pledge(
            "offer", (goal("stay_out", ME, province=theirs),), (goal("stay_out", YOU, province=mine),)
        ),
        "offer_strike": Pledge(
            "offer", (goal("attack", ME, target=LION, province=province),), (goal("attack", YOU, target=LION),)
        ),
        "offer_division": both("share_territory", territory=territory),
        "threaten": Pledge(
            "threat", (goal("attack", ME, target=YOU, province=theirs),), (goal("attack", YOU, target=ME),)
        ),
        "promise_defend": Pledge("promise", (goal("defend", ME, province=province),)),
        "promise_stay_out": Pledge("promise", (goal("stay_out", ME, province=province),)),
        "promise_peace": Pledge("promise", (goal("make_peace", ME, province=province),)),
        "promise_not_raid": Pledge("promise", (goal("not_raid", ME, target=YOU),)),
        "ask_help": Pledge("ask", given=(goal("attack", YOU, target=LION, province=province),)),
    }
    return table.get(act) or Pledge(act.split("_", maxsplit=1)[0])


def says(read: tuple[Goal, ...], wanted: tuple[Goal, ...]) -> bool:
    """Whether the goals are the wanted ones; a named province says by itself whose it is."""

    def same(a: Goal, b: Goal) -> bool:
        if (a.verb, a.by, a.first, a.last) != (b.verb, b.by, b.first, b.last):
            return False
        named = a.args.get("province", "") == b.args.get("province", "-")
        return a.args == b.args or (named and a.args.items() <= b.args.items())

    return len(read) == len(wanted) and all(any(same(a, b) for a in read) for b in wanted)


def understood(act: str, read: tuple[Pledge, ...], wanted: Pledge) -> bool:
    """Whether a phrase was read back.

    A counter-offer may also refuse, a yes to a joint attack may also promise the attack, and the
    condition of a threat may say which province must not be attacked.
    """
    rest = [p for p in read if p.act == wanted.act]
    extra = [p for p in read if p.act != wanted.act]
    if act == "counter_peace":
        extra = [p for p in extra if p.act != "refuse"]
    elif act == "accept_strike":
        extra = [p for p in extra if p.act != "promise" or {g.verb for g in p.goals} != {"attack"}]
    if extra or len(rest) != 1:
        return False
    given = rest[0].given
    if act == "threaten":
        given = tuple(Goal(g.verb, g.by, g.first, g.last, {"target": g.args.get("target", "")}) for g in given)
    return says(rest[0].goals, wanted.goals) and says(given, wanted.given)


def rendered(lang: str, phrase: str, scene: Scene) -> str:
    """A phrase with the facts of a scene."""
    names, now, first, last, lands = scene
    me, you, third, fourth = names.split()
    mine, theirs, province, territory = lands.split()
    facts = naming(
        lang,
        me=me,
        you=you,
        third=third,
        fourth=fourth,
        mine=mine,
        theirs=theirs,
        home=mine,
        province=province,
        territory=territory,
        honor="12",
        broken=BROKEN[lang],
        rounds=span(lang, now, first, last),
    )
    return phrase.format_map(facts)


def heard(text: str, scene: Scene) -> tuple[Pledge, ...]:
    seats = dict(zip((ME, YOU, LION, DRAGON), scene[0].split(), strict=True))
    return hear(text, ME, YOU, seats, scene[1], 5)


def every_phrase(lang: str) -> Iterator[tuple[str, str]]:
    for act, table in phrases(lang).items():
        for listed_phrases in table.values():
            yield from ((act, phrase) for phrase in listed_phrases)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_contentful_phrase_is_read_back(lang: str) -> None:
    missed = []
    for act, phrase in every_phrase(lang):
        for scene in SCENES:
            if act in SILENT:
                continue
            _, now, first, last, lands = scene
            window = (max(first, now), last) if "rounds" in places(phrase) else (now, now)
            text = rendered(lang, phrase, scene)
            read = heard(text, scene)
            if not understood(act, read, meant(act, *window, lands)):
                missed.append((act, text, shown(read)))
    assert missed == []


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_talk_without_content_commits_to_nothing(lang: str) -> None:
    for act, phrase in every_phrase(lang):
        for scene in SCENES:
            if act in SILENT:
                text = rendered(lang, phrase, scene)
                assert {p.act for p in heard(text, scene)} <= {"ask", "refuse"}, text


# Any text ------------------------------------------------------------------------------------------

WORDS = [
    "i",
    "you",
    "we",
    "not",
    "will",
    "attack",
    "stay",
    "out",
    "of",
    "hida",
    "doji",
    "lion",
    "crane",
    "if",
    "unless",
    "and",
    "or",
    "but",
    "nor",
    ",",
    ".",
    "?",
    "!",
    "—",
    ":",
    "«",
    "»",
    '"',
    "my",
    "your",
    "mine",
    "yours",
    "this",
    "round",
    "next",
    "until",
    "round",
    "4",
    "let",
    "us",
    "no",
    "none",
    "attack",
    "raid",
    "peace",
    "with",
    "together",
    "please",
    "promise",
    "that",
    "he",
    "said",
    "я",
    "ты",
    "вы",
    "мы",
    "не",
    "нападу",
    "нападать",
    "на",
    "вас",
    "меня",
    "тебя",
    "трону",
    "трогай",
    "хиду",
    "додзи",
    "льва",
    "журавль",
    "если",
    "а",
    "и",
    "или",
    "ни",
    "—",
    "в",
    "этом",
    "раунде",
    "давай",
    "обещаю",
    "предлагаю",
    "прошу",
    "буду",
    "ёго",
    "до",
    "конца",
    "игры",
    "друг",
    "друга",
    "взамен",
    "там",
    "его",
    "нет",
    "согласен",
    "по",
    "рукам",
    "набег",
    "мир",
]


def sound(pledges: tuple[Pledge, ...]) -> None:
    rules = RokuganPledges()
    for pledge in pledges:
        assert pledge.act in ACTS
        assert pledge.ref is None
        assert all(goal.by == ME for goal in pledge.goals)
        for goal in (*pledge.goals, *pledge.given):
            assert rules.problem(goal, tuple(TABLE)) is None
            assert 2 <= goal.first <= goal.last <= 5
    assert all(pledges.count(pledge) == 1 for pledge in pledges)


@given(st.text(max_size=300))
def test_no_text_breaks_the_hearing(text: str) -> None:
    sound(hear(text, ME, YOU, TABLE, 2, 5))


@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_no_order_of_words_breaks_the_hearing(words: list[str]) -> None:
    sound(hear(" ".join(words), ME, YOU, TABLE, 2, 5))


def test_a_table_without_clans_is_no_obstacle() -> None:
    assert hear("I will not attack Lion.", ME, YOU, {}, 1, 5) == ()
    assert [p.act for p in hear("I will not attack you.", ME, YOU, {}, 1, 5)] == ["promise"]


def test_every_clan_is_known_in_every_case() -> None:
    for clan in clans().values():
        if clan.id not in ("crab", "crane"):
            seats = {ME: "crab", YOU: "crane", LION: clan.id}
            for text in (
                f"Нападу на {clan.texts['ru_acc']}.",
                f"Ударю по {clan.texts['ru_dat']}.",
                f"I will attack {clan.texts['en']}.",
            ):
                assert shown(hear(text, ME, YOU, seats, 2, 5)) == "promise attack lion 2"
