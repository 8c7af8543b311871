"""A shop's knowledge in Chinese and English: 120 written entries, and generated ones that look much like them.

The questions come in parts, by who wrote them and when; `PARTS` says what each can show.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

HERE = Path(__file__).parent

PARTS = ("first tuning", "first held out", "second", "blind")
"""The first two were written with the entries, by one author, who set one half aside. The second is by somebody who saw
only the entries, and was measured before anything was tuned on it. The blind one is by a third person, with the same
brief, after all tuning: its figure is the one that counts. Its files may be missing until it is written."""

ZH_THINGS = (
    "蓝牙耳机", "空气净化器", "电饭煲", "婴儿推车", "登山鞋", "羽绒服", "机械键盘", "扫地机器人", "床垫", "儿童座椅",
    "咖啡机", "智能手表", "平底锅", "行李箱", "护肤套装", "投影仪", "自行车", "猫粮", "办公椅", "净水器",
)  # fmt: skip
EN_THINGS = (
    "headphones", "air purifier", "rice cooker", "pushchair", "hiking boots", "down jacket", "keyboard", "robot vacuum",
    "mattress", "car seat", "coffee machine", "smart watch", "frying pan", "suitcase", "skincare set", "projector",
    "bicycle", "cat food", "office chair", "water filter",
)  # fmt: skip
ZH_ASPECTS = (
    ("{}怎么清洗？", "{}请先断开电源或取下配件，用软布和清水擦拭，不要使用酒精和强力清洁剂。"),
    ("{}可以退货吗？", "{}签收后七天内，包装完好可以无理由退货，请先在订单页提交申请。"),
    ("{}的保修期多久？", "{}自签收之日起保修一年，人为损坏不在保修范围。"),
    ("{}什么时候发货？", "{}现货当天 16 点前下单当天发出，预售款以页面日期为准。"),
    ("{}有哪些颜色？", "{}有黑色、白色和限量款三种颜色，以商品页库存为准。"),
    ("{}如何安装？", "{}附带安装说明书，也可以扫描包装上的二维码观看安装视频。"),
    ("{}的尺寸和重量是多少？", "{}的尺寸和重量写在商品参数页，误差不超过百分之三。"),
    ("{}缺少配件怎么办？", "{}缺少配件时请拍下包装内的全部物品，我们核实后两天内补发。"),
    ("{}参加满减活动吗？", "{}参加每月一次的满 300 减 40 活动，可与店铺会员折扣同时享受。"),
    ("{}可以开专用发票吗？", "{}可以开增值税专用发票，请提供单位名称、税号和开户行。"),
    ("{}支持上门维修吗？", "{}在省会城市支持上门维修，其他地区请寄回维修中心。"),
    ("{}有异味正常吗？", "{}刚拆开时有轻微气味属于正常现象，通风两三天后会消失。"),
    ("{}能送到海外吗？", "{}暂时只在国内销售，海外客户可以联系转运公司。"),
    ("{}的说明书在哪里下载？", "{}的电子说明书在官网“下载中心”按型号查找。"),
    ("{}适合送礼吗？", "{}可以加购礼盒和贺卡，发货时不附价格单。"),
    ("{}有没有二手或翻新的？", "{}的官方翻新机在“焕新专区”，价格约为新品七折，保修半年。"),
    ("{}的材质安全吗？", "{}通过国家质量检测，检测报告可以在商品详情页查看。"),
    ("{}可以以旧换新吗？", "{}支持以旧换新，旧机估价后抵扣新机货款。"),
    ("{}和上一代有什么区别？", "{}新一代升级了做工和耐用性，价格不变，旧款配件可以通用。"),
    ("{}购买数量有限制吗？", "{}每个账号每月限购三件，企业采购不受限制。"),
    ("{}坏了怎么报修？", "{}出现故障请在“售后服务”提交报修，填写故障现象并上传视频。"),
    ("{}的配件单独卖吗？", "{}的常用配件可以在配件专区单独购买，请核对型号。"),
)
EN_ASPECTS = (
    ("How do I clean the {}?", "Unplug or take apart the {} first, then wipe it with a damp cloth. Never use bleach."),
    ("Can I return the {}?", "The {} can go back within 30 days if it is unused and in its original box."),
    ("What is the warranty on the {}?", "The {} comes with a one-year warranty that excludes damage by misuse."),
    ("When does the {} ship?", "If the {} is in stock it leaves the warehouse within one working day."),
    ("Which colours does the {} come in?", "The {} is available in black, white and one seasonal colour."),
    ("How do I install the {}?", "A quick-start sheet is packed with the {}; a video shows every step."),
    ("What are the dimensions of the {}?", "Size and weight of the {} are listed under specifications."),
    ("A part of the {} is missing", "Tell us which part of the {} is missing and we post it within two days."),
    ("Is the {} part of the sale?", "The {} is reduced during the first weekend of each month."),
    (
        "Can I get a VAT invoice for the {}?",
        "Enter your VAT number at checkout; the {} is invoiced to your company.",
    ),
    ("Can the {} be repaired at home?", "A technician visits large cities to repair the {}; elsewhere post it to us."),
    ("The {} smells strange", "A faint smell of a new {} is normal and fades after two days of airing."),
    ("Do you export the {}?", "The {} is sold in this country only, because of its certification."),
    ("Where is the manual of the {}?", "Search the download centre for the model number of the {}."),
    ("Is the {} a good present?", "A gift box and a greeting card can be ordered together with the {}."),
    (
        "Do you sell a refurbished {}?",
        "A refurbished {} costs about 30 percent less, with six months of cover.",
    ),
    ("Is the material of the {} safe?", "The {} passed independent tests; the report is linked on its page."),
    ("Can I trade in my old {}?", "Send a photo of the old {} and we quote its value against a new one."),
    ("What changed in the new {}?", "The new {} is sturdier at the same price, and older accessories still fit."),
    ("How many {} can I buy?", "Private customers may order three {} a month; companies have no limit."),
    (
        "The {} broke, how do I report it?",
        "Open a repair ticket for the {}, describe the fault and add a video.",
    ),
    ("Are spare parts of the {} sold?", "Common spare parts of the {} are in the accessories section."),
)


@dataclass(frozen=True)
class Written:
    """One entry of the corpus."""

    id: str
    language: str
    question: str
    answer: str


@dataclass(frozen=True)
class Asked:
    """One paraphrased question and the entry that answers it; none does when `answer` is empty."""

    language: str
    part: str
    answer: str
    question: str


def entries() -> list[Written]:
    """Return the 1,000 entries: 120 written by hand, 880 generated."""
    written = [
        Written(name, language, question, answer)
        for language in ("zh", "en")
        for name, question, answer in _lines(f"written_{language}.tsv")
    ]
    return written + list(generated())


def generated(*, series: str = "") -> list[Written]:
    """Return an entry for each thing and aspect; `series` names a model, so that there can be any number of them."""
    found = []
    for language, things, aspects in (("zh", ZH_THINGS, ZH_ASPECTS), ("en", EN_THINGS, EN_ASPECTS)):
        for (at, thing), (kind, (question, answer)) in product(enumerate(things), enumerate(aspects)):
            name = f"{thing} {series}" if series else thing
            found.append(
                Written(f"{language}-{series}-{at}-{kind}", language, question.format(name), answer.format(name))
            )
    return found


def questions() -> list[Asked]:
    """Return the paraphrased questions of every part."""
    first = [Asked(language, part, answer, question) for language, part, answer, question in _lines("first.tsv")]
    return first + [
        Asked(language, part, answer, question)
        for part in ("second", "blind")
        for language, answer, question in _lines(f"{part}.tsv")
    ]


def unanswered() -> list[Asked]:
    """Return questions that no entry answers, of every part."""
    first = [Asked(language, part, "", question) for language, part, question in _lines("first_unanswered.tsv")]
    return first + [
        Asked(language, part, "", question)
        for part in ("second", "blind")
        for language, question in _lines(f"{part}_unanswered.tsv")
    ]


def _lines(name: str) -> list[list[str]]:
    path = HERE / name
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
